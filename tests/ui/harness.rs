use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use jiff::tz::TimeZone;
use piscope::app::{
    App, Clip, Effect, Input, Key, Keymap, Mouse, MouseKind, Msg, Notice, OutsideText, Picked, Remembered,
    Setup,
};
use piscope::cancel::Cancel;
use piscope::config::Config;
use piscope::jobs;
use piscope::resume::Plan;
use piscope::session::Filter;
use piscope::store::{Environment, Store, write_demo};
use piscope::tui::{Background, Colours, Theme, draw};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::Size;
use tempfile::TempDir;

/// The present of every story: 2026-11-30T12:00:00Z.
pub const NOW: i64 = 1_796_040_000_000;

/// The header of a session of `/home/dev/p`.
pub const HEADER: &str =
    r#"{"type":"session","version":3,"id":"s-1","timestamp":"2026-11-30T08:00:00.000Z","cwd":"/home/dev/p"}"#;

/// The line of a message below `parent`; a root without one.
pub fn entry(id: &str, parent: &str, role: &str, text: &str) -> String {
    let parent = if parent.is_empty() { "null".into() } else { format!("\"{parent}\"") };
    format!(
        "{{\"type\":\"message\",\"id\":\"{id}\",\"parentId\":{parent},\"timestamp\":\"2026-11-30T08:00:01.000Z\",\
         \"message\":{{\"role\":\"{role}\",\"content\":\"{text}\"}}}}\n"
    )
}

/// The real app, with jobs run inline, a fixed clock and a fixed size: what a person would see, without a terminal.
pub struct Harness {
    pub app: App,
    /// The present, in milliseconds since 1970.
    pub now: i64,
    environment: Environment,
    pub theme: Theme,
    /// What was put on the clipboard.
    pub copied: Vec<Clip>,
    /// What was handed over to pi.
    pub resumed: Option<Plan>,
    /// What was picked.
    pub picked: Option<Picked>,
    /// What was opened in another program.
    pub opened: Vec<OutsideText>,
    /// Whether the person has left.
    pub is_over: bool,
    _cache: TempDir,
    _folder: Option<TempDir>,
}

impl Harness {
    /// The demo sessions on a wide screen.
    pub fn demo() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let demo = write_demo(folder.path(), NOW).unwrap();
        let home = demo.home.clone();
        Self { _folder: Some(folder), ..Self::browse(Store::at(demo.sessions), &home, &home) }
    }

    /// The sessions in a folder, seen from a working directory that has none.
    pub fn open(folder: impl AsRef<Path>) -> Self {
        let home = Path::new("/home/dev");
        Self::browse(Store::at(folder.as_ref().to_owned()), home, home)
    }

    /// A store as somebody in `cwd` sees it.
    pub fn browse(store: Store, home: &Path, cwd: &Path) -> Self {
        let setup = Self::setup(store, home, cwd);
        Self::with(setup, Environment::new(home, cwd).with("PISCOPE_TRASH", home.join("trash")))
    }

    /// A store as somebody in `cwd` sees it who was there before.
    pub fn remembering(store: Store, cwd: &Path, remembered: Remembered) -> Self {
        let home = Path::new("/home/dev");
        let setup = Setup { remembered, ..Self::setup(store, home, cwd) };
        Self::with(setup, Environment::new(home, cwd))
    }

    fn setup(store: Store, home: &Path, cwd: &Path) -> Setup {
        Setup {
            store,
            cwd: cwd.to_string_lossy().into_owned(),
            home: home.to_str().map(Into::into),
            zone: TimeZone::UTC,
            session: None,
            asks_before_resume: true,
            picks: false,
            context_window: None,
            remembered: Remembered::default(),
            keymap: Keymap::default(),
            view: piscope::config::View::default(),
            tree_filter: Filter::default(),
        }
    }

    /// The demo sessions as somebody sees them who has set keys in pi's file, and this in ours.
    pub fn with_keys(pi: &str, own: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let demo = write_demo(folder.path(), NOW).unwrap();
        let environment = Environment::new(folder.path(), folder.path());
        for (path, text) in [
            (environment.agent_dir().join("keybindings.json"), pi),
            (environment.config_dir().join("config.toml"), own),
        ] {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let config = Config::read(environment.clone()).with_pis();
        let (keymap, findings) = Keymap::new(&config.pi_keys, &config.keys);
        let setup = Self::setup(Store::at(demo.sessions), &demo.home, &demo.home);
        let mut harness = Self::with(Setup { keymap, view: config.view.clone(), ..setup }, environment);
        for finding in config.findings.iter().chain(&findings) {
            harness.tell(Msg::Tell(Notice::failed(finding.message.clone())));
        }
        Self { _folder: Some(folder), ..harness }
    }

    pub fn with(setup: Setup, environment: Environment) -> Self {
        let cache = tempfile::tempdir().unwrap();
        let environment = environment.with("XDG_CACHE_HOME", cache.path());
        let mut harness = Self {
            now: NOW,
            app: App::new(setup, Size { width: 160, height: 45 }, NOW),
            environment,
            theme: Theme::own(Colours::True, Background::Dark),
            copied: Vec::new(),
            resumed: None,
            picked: None,
            opened: Vec::new(),
            is_over: false,
            _cache: cache,
            _folder: None,
        };
        harness.tell(Msg::Start);
        harness
    }

    /// Presses keys, written as in `<tab>jj<c-d>`.
    pub fn press(&mut self, keys: &str) -> &mut Self {
        for key in Key::sequence(keys).unwrap() {
            self.tell(Msg::Input(Input::Key(key)));
        }
        self
    }

    /// Does something with the mouse.
    pub fn mouse(&mut self, kind: MouseKind, column: u16, row: u16) -> &mut Self {
        self.tell(Msg::Input(Input::Mouse(Mouse { kind, column, row })));
        self
    }

    /// Tells that files changed, as the watch does.
    pub fn changed(&mut self, paths: &[&Path]) -> &mut Self {
        self.tell(Msg::Changed(paths.iter().map(|path| (*path).to_owned()).collect()));
        self
    }

    /// Gives the screen another size.
    pub fn resize(&mut self, columns: u16, rows: u16) -> &mut Self {
        self.tell(Msg::Input(Input::Resize { columns, rows }));
        self
    }

    fn tell(&mut self, msg: Msg) {
        let mut waiting = VecDeque::from(self.app.update(msg, self.now));
        while let Some(effect) = waiting.pop_front() {
            match effect {
                Effect::Run(ticket, job) => {
                    let mut news = Vec::new();
                    jobs::run(job, &self.environment, self.now, &Cancel::new(), &mut |report| {
                        news.push(report);
                    });
                    for report in news {
                        waiting.extend(self.app.update(Msg::Report(ticket, report), self.now));
                    }
                }
                Effect::Copy(clip) => self.copied.push(clip),
                Effect::Edit(text) => {
                    let edited = Ok(text.to_uppercase());
                    waiting.extend(self.app.update(Msg::Edited(edited), self.now));
                }
                Effect::Resume(plan, _) => self.resumed = Some(plan),
                Effect::Pick(picked) => self.picked = Some(picked),
                Effect::OpenOutside(text) => self.opened.push(text),
                Effect::Watch(..) | Effect::StopSearch | Effect::StopForks => {}
                Effect::Quit => self.is_over = true,
            }
        }
    }

    /// The screen as it is drawn.
    pub fn buffer(&self) -> Buffer {
        let Size { width, height } = self.app.size;
        self.buffer_of(width, height)
    }

    /// The screen as it is drawn on a terminal of another size than was told.
    pub fn buffer_of(&self, width: u16, height: u16) -> Buffer {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| draw(frame, &self.app, &self.theme)).unwrap();
        terminal.backend().buffer().clone()
    }

    /// The text of the screen, without blanks at the ends of rows.
    pub fn frame(&self) -> String {
        text_of(&self.buffer())
    }
}

/// The text of a buffer, without blanks at the ends of rows and without empty rows at its end.
pub fn text_of(buffer: &Buffer) -> String {
    let area = buffer.area;
    let mut lines = Vec::new();
    for y in 0..area.height {
        let mut line = String::new();
        let mut skip = 0;
        for x in 0..area.width {
            let symbol = buffer[(x, y)].symbol();
            if skip > 0 {
                skip -= 1;
                continue;
            }
            skip = piscope::present::width::of(symbol).saturating_sub(1);
            line.push_str(symbol);
        }
        lines.push(line.trim_end().to_owned());
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines.join("\n")
}

/// A file among the project's own fixtures.
pub fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}
