use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use ratatui::Frame;
use ratatui::layout::Size;

use super::answers::{answered, learn, prepare};
use super::draw::{draw, links};
use super::outside;
use super::pictures::{MadePicture, PictureJob, Pictures};
use super::{
    Clipboard, Copy, Event, Events, Glyphs, Lane, Lanes, Linear, Outcome, Output, Reporter, Runner, Screen,
    Signal, Start, Theme, Use, stop_job,
};
use crate::app::{
    App, Clip, Effect, Input, Job, Key, Msg, Notice, OutsideText, Picked, Report, Setup, Ticket,
};
use crate::cancel::Cancel;
use crate::config::ConfigFinding;
use crate::jobs;
use crate::present::{CodeTones, sanitize};
use crate::resume::{Plan, Program};
use crate::store::{Environment, Watch};

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
    // To find the zone takes as long as all else before the first picture.
    let zone = thread::spawn(TimeZone::system);
    let events: Events<Told> = Events::new()?;
    let mut theme = Theme::detect(start.theme.clone());
    let clipboard = Arc::new(Mutex::new(Clipboard::new(start.clipboard, &start.environment)));
    let runner = Jobs { environment: start.environment.clone(), clipboard: Arc::clone(&clipboard) };
    let output = if start.picks { Output::Stderr } else { Output::Stdout };
    let stays = start.stays;
    let lanes = Lanes::new(runner, &events.reporter())?;
    let mut linear = if start.used == Use::Lines { Some(Linear::new()?) } else { None };
    let glyphs = Glyphs::detect(&start.environment);
    let mut screen = Screen::open(output, start.used, &events)?;
    let asks = linear.is_none() && theme.depends_on_background();
    if asks {
        screen.ask()?;
    }
    let mut pictures = Pictures::detect(theme.colours);
    let mut shell = Shell {
        lanes,
        reporter: events.reporter(),
        watch: None,
        left: None,
        to_edit: None,
        outside: None,
        copying: 0,
    };
    let (findings, memory) = (start.findings.clone(), start.memory.clone());
    let mut app = App::new(setup(start, zone.join().unwrap_or(TimeZone::UTC)), screen.size()?, now());
    shell.update(&mut app, Msg::Start);
    if let Some(notice) = told(&findings) {
        shell.update(&mut app, Msg::Tell(notice));
    }
    // What is asked of the disk is done meanwhile.
    let mut early = if asks { answered(&events, &mut screen, &mut theme)? } else { Vec::new() };
    let left = loop {
        match shell.left.take() {
            // What is being copied may need the terminal to get to the person.
            Some(left) if shell.copying > 0 => shell.left = Some(left),
            Some(Left::ForPi(plan, program)) if stays => {
                let ended = screen.lend(|| plan.run(&program))?;
                shell.update(&mut app, resized(&screen)?);
                shell.update(&mut app, Msg::Back(ended.map_err(|error| error.to_string())));
            }
            Some(left) => break left,
            None => {}
        }
        if shell.lend(&mut screen, &mut app)? {
            continue;
        }
        if linear.is_none() && screen.is_wiped() {
            pictures.forget();
            if app.messages.show_pictures(pictures.cell()) {
                shell.update(&mut app, resized(&screen)?);
            }
        }
        shell.make_ready(pictures.take_wanted(&app));
        match &mut linear {
            Some(linear) => say(&mut screen, &linear.news(&app, &theme), glyphs)?,
            None => show(&mut screen, &app, &theme, glyphs, &pictures)?,
        }
        let batch = if early.is_empty() { events.next_batch(None) } else { mem::take(&mut early) };
        for event in batch {
            match event {
                Event::Input(Input::Key(key)) if key == Key::ctrl('z') => stop_job()?,
                Event::Input(Input::Resize { .. }) if linear.is_some() => {}
                Event::Input(input) => {
                    prepare(&input, &mut screen, asks)?;
                    shell.input(&mut app, input);
                }
                Event::Report(Told::Picture(made)) => pictures.take(made),
                Event::Report(Told::Copied(what, copy)) => {
                    shell.copying = shell.copying.saturating_sub(1);
                    if let Some(sequence) = &copy.sequence {
                        screen.send(sequence)?;
                    }
                    shell.update(&mut app, Msg::Tell(copy_notice(&what, &copy.outcome)));
                }
                Event::Report(Told::Msg(msg)) => shell.update(&mut app, *msg),
                Event::Told(answer) => learn(answer, &mut screen, &mut theme)?,
                Event::Signal(Signal::End(ending)) => {
                    drop(screen);
                    drop(shell);
                    locked(&clipboard).hand_on();
                    ending.end_process();
                    return Ok(Left::Quit);
                }
                Event::Signal(Signal::Resized) => screen.redraw(),
                Event::Signal(Signal::Stop) => screen.stop()?,
                Event::Signal(Signal::Continue) => {
                    screen.renew()?;
                    shell.update(&mut app, resized(&screen)?);
                }
                Event::InputLost(error) => return Err(error),
            }
        }
    };
    if let Some(memory) = memory {
        // Where that fails, the next start begins as the first did.
        _ = memory.save(&app.remembered());
    }
    // The lanes may still write what was asked for; nobody has to look at a still picture meanwhile.
    drop(screen);
    drop(shell);
    print_uncopied(&clipboard, output)?;
    Ok(left)
}

/// What was not understood in the files of settings, as far as there is room for it.
fn told(findings: &[ConfigFinding]) -> Option<Notice> {
    let first = findings.first()?;
    Some(Notice::failed(match findings.len() - 1 {
        0 => first.to_string(),
        more => format!("{first} (and {more} more)"),
    }))
}

/// Prints the texts that found no way to a clipboard, and leaves the one that did to whoever keeps it from here on. What
/// a terminal would take for more than text is shown to it and not obeyed; anything else gets every byte.
fn print_uncopied(clipboard: &Mutex<Clipboard>, output: Output) -> io::Result<()> {
    for text in locked(clipboard).hand_on() {
        let (mut out, is_terminal): (Box<dyn Write>, bool) = match output {
            Output::Stdout => (Box::new(io::stdout()), io::stdout().is_terminal()),
            Output::Stderr => (Box::new(io::stderr()), io::stderr().is_terminal()),
        };
        let shown = if is_terminal { sanitize::text(&text) } else { Cow::Borrowed(&*text) };
        writeln!(out, "{shown}")?;
    }
    Ok(())
}

/// Writes lines below what was written before.
fn say(screen: &mut Screen, lines: &[String], glyphs: Glyphs) -> io::Result<()> {
    lines.iter().try_for_each(|line| screen.send(&format!("{}\r\n", glyphs.of_text(line))))
}

/// Draws the app.
fn show(
    screen: &mut Screen,
    app: &App,
    theme: &Theme,
    glyphs: Glyphs,
    pictures: &Pictures,
) -> io::Result<()> {
    let render = |frame: &mut Frame<'_>| {
        draw(frame, app, theme);
        glyphs.apply(frame.buffer_mut());
        pictures.draw(frame, app);
    };
    screen.draw_linked(render, &links(app))
}

/// The size of the screen, which may be another by now.
fn resized(screen: &Screen) -> io::Result<Msg> {
    let Size { width, height } = screen.size()?;
    Ok(Msg::Input(Input::Resize { columns: width, rows: height }))
}

fn locked(clipboard: &Mutex<Clipboard>) -> MutexGuard<'_, Clipboard> {
    clipboard.lock().unwrap_or_else(PoisonError::into_inner)
}

fn setup(start: Start, zone: TimeZone) -> Setup {
    Setup {
        store: start.store,
        cwd: start.environment.cwd().to_string_lossy().into_owned(),
        home: start.home.to_str().map(Into::into),
        zone,
        session: start.session,
        asks_before_resume: start.asks_before_resume,
        picks: start.picks,
        remembered: start.memory.map(|memory| memory.load()).unwrap_or_default(),
        context_window: start.context_window.map(|tokens| f64::from(tokens.get())),
        keymap: start.keymap,
        tree_filter: start.tree_filter,
        view: start.view,
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
    watch: Option<Watch>,
    left: Option<Left>,
    /// A text that waits for the person's editor.
    to_edit: Option<String>,
    /// A text that is to be opened in another program as soon as nothing else is to be done.
    outside: Option<OutsideText>,
    /// Texts whose way to the clipboard is not over.
    copying: usize,
}

impl Shell {
    /// Tells the app what happened and does what it asks for.
    fn update(&mut self, app: &mut App, msg: Msg) {
        let effects = app.update(msg, now());
        self.carry_out(effects);
    }

    /// Hands on what comes from the person, or sees that they look elsewhere.
    fn input(&mut self, app: &mut App, input: Input) {
        let looks = input != Input::FocusLost;
        self.lanes.is_looked_at(looks);
        if looks {
            self.update(app, Msg::Input(input));
        }
    }

    /// Has pictures made ready.
    fn make_ready(&self, pictures: Vec<PictureJob>) {
        for job in pictures {
            self.lanes.submit(Request::Picture(job));
        }
    }

    /// Has a text edited or opened in another program, if one waits for it; says whether one did.
    fn lend(&mut self, screen: &mut Screen, app: &mut App) -> io::Result<bool> {
        let waited = self.to_edit.is_some() || self.outside.is_some();
        if let Some(text) = self.to_edit.take() {
            let edited = screen.lend(|| outside::edit(&text))?;
            self.update(app, resized(screen)?);
            self.update(app, Msg::Edited(edited));
        }
        if let Some(text) = self.outside.take() {
            let opened = screen.lend(|| outside::open(&text))?;
            self.update(app, resized(screen)?);
            if let Err(reason) = opened {
                self.update(app, Msg::Tell(Notice::failed(reason)));
            }
        }
        Ok(waited)
    }

    fn carry_out(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            let request = match effect {
                Effect::Run(ticket, job) => Request::Job(ticket, job),
                Effect::Copy(clip) => {
                    self.copying += 1;
                    Request::Copy(clip)
                }
                Effect::StopForks => {
                    self.lanes.cancel(Lane::Forks);
                    continue;
                }
                Effect::StopSearch => {
                    self.lanes.cancel(Lane::Search);
                    continue;
                }
                Effect::OpenOutside(text) => {
                    self.outside = Some(text);
                    continue;
                }
                Effect::Watch(store, session) => {
                    let reporter = self.reporter.clone();
                    let tell = move |paths| reporter.report(Told::of(Msg::Changed(paths)));
                    // Without it the screen shows what was there when it was asked for.
                    self.watch = Watch::new(&store, session.as_deref(), tell).ok();
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
                self.reporter.report(Told::of(Msg::Report(ticket, Report::Dropped(Box::new(job)))));
            }
        }
    }
}

/// What a lane is asked for.
enum Request {
    Job(Ticket, Job),
    Copy(Clip),
    Picture(PictureJob),
}

/// What a request was about.
enum About {
    Job(Ticket),
    Copy,
    Picture,
}

/// What a lane tells.
#[derive(Debug)]
enum Told {
    /// What is for the app.
    Msg(Box<Msg>),
    /// What the text was, and what became of it.
    Copied(String, Copy),
    Picture(MadePicture),
}

impl Told {
    fn of(msg: Msg) -> Self {
        Self::Msg(Box::new(msg))
    }
}

struct Jobs {
    environment: Environment,
    clipboard: Arc<Mutex<Clipboard>>,
}

impl Runner for Jobs {
    type Job = Request;
    type Ticket = About;
    type Report = Told;

    fn lane(&self, request: &Request) -> Lane {
        match request {
            Request::Copy(_) => Lane::Write,
            Request::Picture(_) => Lane::Picture,
            Request::Job(_, job) => match job {
                Job::Scan { .. } => Lane::Scan,
                Job::Open { .. } => Lane::Session,
                Job::Select { .. } | Job::Narrow { .. } => Lane::Query,
                Job::Search { .. } => Lane::Search,
                Job::FindText { .. } => Lane::Find,
                Job::Collect { .. } | Job::Details { .. } | Job::Turns { .. } | Job::Stats(_) => Lane::Text,
                Job::Context { .. } => Lane::Context,
                Job::Forks { .. } => Lane::Forks,
                Job::Look { .. } | Job::LookForWriters => Lane::Beside,
                Job::Blocks { wanted, .. }
                    if wanted.iter().any(|(_, key)| key.code == CodeTones::Highlighted) =>
                {
                    Lane::Colour
                }
                Job::Outline { .. }
                | Job::Blocks { .. }
                | Job::ReadText { .. }
                | Job::TakeEntries { .. }
                | Job::TakeFound { .. }
                | Job::TakeSessions { .. }
                | Job::Offer { .. } => Lane::Load,
                Job::Demo | Job::Edit(_) | Job::Export(_) | Job::Split { .. } => Lane::Write,
            },
        }
    }

    fn ticket(&self, request: &Request) -> About {
        match request {
            Request::Job(ticket, _) => About::Job(*ticket),
            Request::Copy(_) => About::Copy,
            Request::Picture(_) => About::Picture,
        }
    }

    fn run(&self, request: Request, cancel: &Cancel, report: &mut dyn FnMut(Told)) {
        match request {
            Request::Job(ticket, job) => {
                jobs::run(job, &self.environment, now(), cancel, &mut |news| {
                    report(Told::of(Msg::Report(ticket, news)));
                });
            }
            Request::Copy(Clip { text, what }) => {
                let copied = locked(&self.clipboard).copy(&text);
                report(Told::Copied(what, copied));
            }
            Request::Picture(job) => report(Told::Picture(job.run())),
        }
    }

    fn panicked(&self, about: About, message: String) -> Told {
        let words = format!("something went wrong inside piscope: {message}");
        match about {
            About::Job(ticket) => Told::of(Msg::Report(ticket, Report::Crashed(words))),
            About::Picture => Told::of(Msg::Tell(Notice::failed(words))),
            About::Copy => {
                Told::Copied("copy".into(), Copy { outcome: Outcome::Failed(words), sequence: None })
            }
        }
    }
}

fn copy_notice(what: &str, outcome: &Outcome) -> Notice {
    let words = format!("{what}: {outcome}");
    match outcome {
        Outcome::Copied(_) | Outcome::InTmux(_) | Outcome::SentToTerminal(_) => Notice::done(words),
        Outcome::Kept(_) | Outcome::Failed(_) => Notice::failed(words),
    }
}
