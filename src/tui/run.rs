use std::io;
use std::sync::Mutex;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use ratatui::layout::Size;

use super::draw::draw;
use super::{
    Clipboard, Copy, Event, Events, Lane, Lanes, Outcome, Output, Reporter, Runner, Screen, Signal, Start,
    Theme, stop_job,
};
use crate::app::{App, Effect, Input, Job, Key, Msg, Notice, Report, Setup, Ticket};
use crate::cancel::Cancel;
use crate::jobs;
use crate::store::Environment;

/// Opens the screen and stays until the person leaves it.
///
/// # Errors
/// There is no terminal, or it is lost.
pub fn run(start: Start) -> io::Result<()> {
    let events: Events<Told> = Events::new()?;
    let mut theme = Theme::detect();
    let runner = Jobs { environment: start.environment.clone(), clipboard: Mutex::new(Clipboard::new()) };
    let lanes = Lanes::new(runner, &events.reporter())?;
    let mut screen = Screen::open(Output::Stdout, &events)?;
    if theme.depends_on_background() {
        screen.ask_background()?;
    }
    let mut shell = Shell { lanes, reporter: events.reporter(), is_over: false };
    let mut app = App::new(setup(start), Size::default(), now());
    app.size = screen.size()?;
    let effects = app.update(Msg::Start, now());
    shell.carry_out(effects);
    while !shell.is_over {
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
                Event::Report(Told::Copied(copy)) => {
                    if let Some(sequence) = &copy.sequence {
                        screen.send(sequence)?;
                    }
                    app.notice = Some(copy_notice(&copy.outcome));
                }
                Event::Background(colour) => theme = theme.on(colour),
                Event::Signal(Signal::End(ending)) => {
                    drop(screen);
                    drop(shell);
                    ending.end_process();
                    return Ok(());
                }
                Event::Signal(Signal::Stop) => screen.stop()?,
                Event::Signal(Signal::Continue) => {
                    screen.renew()?;
                    app.size = screen.size()?;
                }
                Event::InputLost(error) => return Err(error),
            }
        }
    }
    // The lanes may still write what was asked for; nobody has to look at a still picture meanwhile.
    drop(screen);
    Ok(())
}

fn setup(start: Start) -> Setup {
    Setup {
        store: start.store,
        cwd: start.environment.cwd().to_string_lossy().into_owned(),
        home: start.home.to_str().map(Into::into),
        zone: TimeZone::system(),
        session: start.session,
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
    is_over: bool,
}

impl Shell {
    fn carry_out(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            let request = match effect {
                Effect::Run(ticket, job) => Request::Job(ticket, job),
                Effect::Copy(text) => Request::Copy(text),
                Effect::Quit => {
                    self.is_over = true;
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
    Copy(String),
}

/// What a lane tells.
#[derive(Debug)]
enum Told {
    News(Ticket, Report),
    Copied(Copy),
}

struct Jobs {
    environment: Environment,
    clipboard: Mutex<Clipboard>,
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
                Job::Open { .. } | Job::Forks { .. } => Lane::Session,
                Job::Select { .. } | Job::FindText { .. } | Job::Context { .. } => Lane::Query,
                Job::Outline { .. } | Job::Blocks { .. } | Job::CopyText { .. } => Lane::Load,
                Job::Demo => Lane::Write,
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
            Request::Copy(text) => {
                let mut clipboard = self.clipboard.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                report(Told::Copied(clipboard.copy(&text)));
            }
        }
    }

    fn panicked(&self, ticket: Ticket, message: String) -> Told {
        let notice = Notice::failed(format!("something went wrong inside piscope: {message}"));
        Told::News(ticket, Report::Notice(notice))
    }
}

fn copy_notice(outcome: &Outcome) -> Notice {
    match outcome {
        Outcome::Copied(count) => Notice::done(format!("copied {count} characters")),
        Outcome::SentToTerminal(count) => {
            Notice::done(format!("sent {count} characters to the terminal's clipboard"))
        }
        Outcome::Failed(reason) => Notice::failed(format!("not copied: {reason}")),
    }
}
