use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use ratatui::layout::Size;

use super::draw::draw;
use super::editor;
use super::outside;
use super::{
    Clipboard, Copy, Event, Events, Lane, Lanes, Outcome, Output, Reporter, Runner, Screen, Signal, Start,
    Theme, stop_job,
};
use crate::app::{
    App, Clip, Effect, Input, Job, Key, Msg, Notice, OutsideText, Picked, Report, Setup, Ticket,
};
use crate::cancel::Cancel;
use crate::jobs;
use crate::resume::{Plan, Program};
use crate::store::Environment;

/// How the screen was left.
#[derive(Debug)]
pub enum Left {
    /// By quitting.
    Quit,
    /// By picking something for the program that asked.
    Picked(Picked),
    /// To go on in pi: [`Plan::exec`].
    ForPi(Plan, Program),
}

/// Opens the screen and stays until the person leaves it. Then the terminal is as before, texts that could not be
/// copied are printed, and what was copied outlives the process as far as the desktop allows.
///
/// # Errors
/// There is no terminal, or it is lost.
pub fn run(start: Start) -> io::Result<Left> {
    let events: Events<Told> = Events::new()?;
    let mut theme = Theme::detect();
    let clipboard = Arc::new(Mutex::new(Clipboard::new(start.clipboard, &start.environment)));
    let runner = Jobs { environment: start.environment.clone(), clipboard: Arc::clone(&clipboard) };
    let output = if start.picks { Output::Stderr } else { Output::Stdout };
    let stays = start.stays;
    let environment = start.environment.clone();
    let lanes = Lanes::new(runner, &events.reporter())?;
    let mut screen = Screen::open(output, &events)?;
    if theme.depends_on_background() {
        screen.ask_background()?;
    }
    let mut shell = Shell { lanes, reporter: events.reporter(), left: None, to_edit: None, outside: None };
    let mut app = App::new(setup(start), Size::default(), now());
    app.size = screen.size()?;
    let effects = app.update(Msg::Start, now());
    shell.carry_out(effects);
    let left = loop {
        match shell.left.take() {
            Some(Left::ForPi(plan, program)) if stays => {
                let ended = screen.lend(|| plan.run(&program))?;
                app.size = screen.size()?;
                let effects = app.update(Msg::Back(ended.map_err(|error| error.to_string())), now());
                shell.carry_out(effects);
            }
            Some(left) => break left,
            None => {}
        }
        if let Some(text) = shell.to_edit.take() {
            let edited = screen.lend(|| editor::edit(&text, &environment))?;
            app.size = screen.size()?;
            let effects = app.update(Msg::Edited(edited.map_err(|error| error.to_string())), now());
            shell.carry_out(effects);
            continue;
        }
        if let Some(text) = shell.outside.take() {
            app.notice = screen.lend(|| outside::open(&text))?.err().map(Notice::failed);
            app.size = screen.size()?;
        }
        screen.draw(|frame| draw(frame, &app, theme))?;
        for event in events.next_batch(None) {
            match event {
                Event::Input(Input::Key(key)) if key == Key::ctrl('z') => stop_job()?,
                Event::Input(input) => {
                    if matches!(input, Input::Resize { .. }) {
                        screen.redraw();
                    }
                    let effects = app.update(Msg::Input(input), now());
                    shell.carry_out(effects);
                }
                Event::Report(Told::News(ticket, report)) => {
                    let effects = app.update(Msg::Report(ticket, report), now());
                    shell.carry_out(effects);
                }
                Event::Report(Told::Copied(what, copy)) => {
                    if let Some(sequence) = &copy.sequence {
                        screen.send(sequence)?;
                    }
                    app.notice = Some(copy_notice(&what, &copy.outcome));
                }
                Event::Background(colour) => theme = theme.on(colour),
                Event::Signal(Signal::End(ending)) => {
                    drop(screen);
                    drop(shell);
                    locked(&clipboard).hand_on();
                    ending.end_process();
                    return Ok(Left::Quit);
                }
                Event::Signal(Signal::Stop) => screen.stop()?,
                Event::Signal(Signal::Continue) => {
                    screen.renew()?;
                    app.size = screen.size()?;
                }
                Event::InputLost(error) => return Err(error),
            }
        }
    };
    // The lanes may still write what was asked for; nobody has to look at a still picture meanwhile.
    drop(screen);
    drop(shell);
    for text in locked(&clipboard).hand_on() {
        match output {
            Output::Stdout => writeln!(io::stdout(), "{text}")?,
            Output::Stderr => writeln!(io::stderr(), "{text}")?,
        }
    }
    Ok(left)
}

fn locked(clipboard: &Mutex<Clipboard>) -> MutexGuard<'_, Clipboard> {
    clipboard.lock().unwrap_or_else(PoisonError::into_inner)
}

fn setup(start: Start) -> Setup {
    Setup {
        store: start.store,
        cwd: start.environment.cwd().to_string_lossy().into_owned(),
        home: start.home.to_str().map(Into::into),
        zone: TimeZone::system(),
        session: start.session,
        asks_before_resume: start.asks_before_resume,
        picks: start.picks,
        context_window: start.context_window.map(|tokens| f64::from(tokens.get())),
    }
}

/// The present in milliseconds since 1970.
pub fn now() -> i64 {
    Timestamp::now().as_millisecond()
}

/// Carries out what the app asks for.
struct Shell {
    lanes: Lanes<Jobs>,
    reporter: Reporter<Told>,
    left: Option<Left>,
    /// A text that waits for the person's editor.
    to_edit: Option<String>,
    /// A text that is to be opened in another program as soon as nothing else is to be done.
    outside: Option<OutsideText>,
}

impl Shell {
    fn carry_out(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            let request = match effect {
                Effect::Run(ticket, job) => Request::Job(ticket, job),
                Effect::Copy(clip) => Request::Copy(clip),
                Effect::OpenOutside(text) => {
                    self.outside = Some(text);
                    continue;
                }
                Effect::Quit => {
                    self.left = Some(Left::Quit);
                    continue;
                }
                Effect::Edit(text) => {
                    self.to_edit = Some(text);
                    continue;
                }
                Effect::Pick(picked) => {
                    self.left = Some(Left::Picked(picked));
                    continue;
                }
                Effect::Resume(plan, program) => {
                    self.left = Some(Left::ForPi(plan, program));
                    continue;
                }
            };
            if let Some(Request::Job(ticket, job)) = self.lanes.submit(request) {
                self.reporter.report(Told::News(ticket, Report::Dropped(Box::new(job))));
            }
        }
    }
}

/// What a lane is asked for.
enum Request {
    Job(Ticket, Job),
    Copy(Clip),
}

/// What a lane tells.
#[derive(Debug)]
enum Told {
    News(Ticket, Report),
    /// What the text was, and what became of it.
    Copied(String, Copy),
}

struct Jobs {
    environment: Environment,
    clipboard: Arc<Mutex<Clipboard>>,
}

impl Runner for Jobs {
    type Job = Request;
    type Ticket = Ticket;
    type Report = Told;

    fn lane(&self, request: &Request) -> Lane {
        match request {
            Request::Copy(_) => Lane::Write,
            Request::Job(_, job) => match job {
                Job::Scan { .. } => Lane::Scan,
                Job::Open { .. } | Job::Forks { .. } | Job::Collect { .. } => Lane::Session,
                Job::Select { .. } | Job::FindText { .. } | Job::Context { .. } | Job::Narrow { .. } => {
                    Lane::Query
                }
                Job::Outline { .. }
                | Job::Blocks { .. }
                | Job::ReadText { .. }
                | Job::TakeEntries { .. }
                | Job::TakeSessions { .. }
                | Job::Offer { .. } => Lane::Load,
                Job::Demo | Job::Split { .. } => Lane::Write,
            },
        }
    }

    fn ticket(&self, request: &Request) -> Ticket {
        match request {
            Request::Job(ticket, _) => *ticket,
            Request::Copy(_) => Ticket::default(),
        }
    }

    fn run(&self, request: Request, cancel: &Cancel, report: &mut dyn FnMut(Told)) {
        match request {
            Request::Job(ticket, job) => {
                jobs::run(job, &self.environment, now(), cancel, &mut |news| {
                    report(Told::News(ticket, news));
                });
            }
            Request::Copy(Clip { text, what }) => {
                let copied = locked(&self.clipboard).copy(&text);
                report(Told::Copied(what, copied));
            }
        }
    }

    fn panicked(&self, ticket: Ticket, message: String) -> Told {
        let notice = Notice::failed(format!("something went wrong inside piscope: {message}"));
        Told::News(ticket, Report::Notice(notice))
    }
}

fn copy_notice(what: &str, outcome: &Outcome) -> Notice {
    let words = format!("{what}: {outcome}");
    match outcome {
        Outcome::Copied(_) | Outcome::InTmux(_) | Outcome::SentToTerminal(_) => Notice::done(words),
        Outcome::Kept(_) | Outcome::Failed(_) => Notice::failed(words),
    }
}
