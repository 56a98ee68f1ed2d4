use std::collections::VecDeque;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::events::Reporter;
use super::panics;
use crate::cancel::{Cancel, Precedence};

/// A worker with a queue of its own: jobs of one lane never run at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// Looking through the store. The latest job wins.
    Scan,
    /// Opening and following the session that is shown. The latest job wins.
    Session,
    /// Finding sessions, prompts and labels. The latest job wins.
    Query,
    /// Searching the text of all sessions. The latest job wins.
    Search,
    /// Finding prompts and labels in sessions, and what else is told of them above the panes. The latest job wins.
    Text,
    /// Finding texts in the messages that are shown. The latest job wins.
    Find,
    /// Building contexts. The latest job wins.
    Context,
    /// Reading the forks of the session that is shown. Every job is run, in order, until it is another one.
    Forks,
    /// Reading beside what is shown: files that changed. Every job is run, in order.
    Beside,
    /// Reading and preparing what is on the screen. The newest job is first, and few wait.
    Load,
    /// Making what is on the screen more colourful. The newest job is first, and few wait.
    Colour,
    /// Making pictures ready. The newest job is first, and few wait.
    Picture,
    /// Changing files, and the clipboard. Every job runs to its end, in order.
    Write,
}

impl Lane {
    const ALL: [Self; 13] = [
        Self::Scan,
        Self::Session,
        Self::Query,
        Self::Search,
        Self::Text,
        Self::Find,
        Self::Context,
        Self::Forks,
        Self::Beside,
        Self::Load,
        Self::Colour,
        Self::Picture,
        Self::Write,
    ];

    /// Whether somebody looks at what its jobs are for, so that looking through the store stands back meanwhile.
    fn goes_before_scans(self) -> bool {
        match self {
            Self::Session
            | Self::Query
            | Self::Search
            | Self::Text
            | Self::Find
            | Self::Context
            | Self::Load => true,
            Self::Scan | Self::Forks | Self::Beside | Self::Colour | Self::Picture | Self::Write => false,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Scan => "scan",
            Self::Session => "session",
            Self::Query => "query",
            Self::Search => "search",
            Self::Text => "text",
            Self::Find => "find",
            Self::Context => "context",
            Self::Forks => "forks",
            Self::Beside => "beside",
            Self::Load => "load",
            Self::Colour => "colour",
            Self::Picture => "picture",
            Self::Write => "write",
        }
    }
}

/// How many jobs wait in [`Lane::Load`], [`Lane::Colour`] and [`Lane::Picture`]: about what is visible on a large screen.
const LOADS: usize = 128;

/// How long the end of the program waits for the changes that were asked for.
const LAST_WRITES: Duration = Duration::from_secs(5);

/// What runs the jobs. It is shared by all lanes.
pub trait Runner: Send + Sync + 'static {
    /// A request.
    type Job: Send + 'static;
    /// What tells one request from another.
    type Ticket;
    /// What jobs report.
    type Report: Send + 'static;

    /// The lane in which a job runs.
    fn lane(&self, job: &Self::Job) -> Lane;

    /// The ticket of a job.
    fn ticket(&self, job: &Self::Job) -> Self::Ticket;

    /// Runs a job to its end, or until it is cancelled.
    fn run(&self, job: Self::Job, cancel: &Cancel, report: &mut dyn FnMut(Self::Report));

    /// The report that a job ended in a panic.
    fn panicked(&self, ticket: Self::Ticket, message: String) -> Self::Report;
}

/// The worker lanes. Dropping them cancels all work but the changes to files, for which it waits a little.
pub struct Lanes<R: Runner> {
    runner: Arc<R>,
    queues: [Arc<Queue<R::Job>>; Lane::ALL.len()],
    precedence: Precedence,
}

impl<R: Runner> Lanes<R> {
    /// Starts the lanes, each with a thread of its own.
    ///
    /// # Errors
    /// The system refuses a thread.
    pub fn new(runner: R, reporter: &Reporter<R::Report>) -> io::Result<Self> {
        let precedence = Precedence::default();
        let lanes = Self {
            runner: Arc::new(runner),
            queues: Lane::ALL.map(|lane| Arc::new(Queue::new(lane, precedence.clone()))),
            precedence,
        };
        for (lane, queue) in Lane::ALL.into_iter().zip(&lanes.queues) {
            let (runner, queue, reporter) = (Arc::clone(&lanes.runner), Arc::clone(queue), reporter.clone());
            thread::Builder::new()
                .name(lane.name().into())
                .spawn(move || work(&*runner, &queue, &reporter))?;
        }
        Ok(lanes)
    }

    /// Hands a job to its lane. Where the latest wins, this cancels the one that runs. Returns the waiting job
    /// that had to give way and will never run.
    pub fn submit(&self, job: R::Job) -> Option<R::Job> {
        let lane = self.runner.lane(&job);
        self.queue(lane).submit(job)
    }

    /// Cancels the job that runs in a lane, and forgets those that wait. Changes to files cannot be cancelled.
    pub fn cancel(&self, lane: Lane) {
        self.queue(lane).cancel();
    }

    /// Says whether somebody looks at the screen. Where nobody has for long, looking through the store stands still.
    pub fn is_looked_at(&self, looks: bool) {
        self.precedence.is_looked_at(looks, Instant::now());
    }

    fn queue(&self, lane: Lane) -> &Queue<R::Job> {
        &self.queues[lane as usize]
    }
}

impl<R: Runner> Drop for Lanes<R> {
    fn drop(&mut self) {
        for queue in &self.queues {
            queue.cancel();
            queue.close();
        }
        self.queue(Lane::Write).wait_until_idle(LAST_WRITES);
    }
}

/// The life of a lane's thread.
fn work<R: Runner>(runner: &R, queue: &Queue<R::Job>, reporter: &Reporter<R::Report>) {
    while let Some((job, cancel)) = queue.next() {
        let ticket = runner.ticket(&job);
        let _before = queue.lane.goes_before_scans().then(|| queue.precedence.begin());
        let run = || runner.run(job, &cancel, &mut |report| reporter.report(report));
        if let Err(payload) = panic::catch_unwind(AssertUnwindSafe(run)) {
            reporter.report(runner.panicked(ticket, panics::message(&*payload)));
        }
    }
}

struct Queue<J> {
    lane: Lane,
    state: Mutex<QueueState<J>>,
    changed: Condvar,
    precedence: Precedence,
}

struct QueueState<J> {
    /// The next to run is at the front.
    waiting: VecDeque<J>,
    running: Option<Cancel>,
    closed: bool,
}

impl<J> Queue<J> {
    fn new(lane: Lane, precedence: Precedence) -> Self {
        let state = QueueState { waiting: VecDeque::new(), running: None, closed: false };
        Self { lane, state: Mutex::new(state), changed: Condvar::new(), precedence }
    }

    fn state(&self) -> MutexGuard<'_, QueueState<J>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn submit(&self, job: J) -> Option<J> {
        let mut state = self.state();
        let gave_way = match self.lane {
            Lane::Scan
            | Lane::Session
            | Lane::Query
            | Lane::Search
            | Lane::Text
            | Lane::Find
            | Lane::Context => {
                if let Some(running) = &state.running {
                    running.cancel();
                }
                let gave_way = state.waiting.pop_front();
                state.waiting.push_front(job);
                gave_way
            }
            Lane::Load | Lane::Colour | Lane::Picture => {
                let gave_way = if state.waiting.len() < LOADS { None } else { state.waiting.pop_back() };
                state.waiting.push_front(job);
                gave_way
            }
            Lane::Forks | Lane::Beside | Lane::Write => {
                state.waiting.push_back(job);
                None
            }
        };
        self.changed.notify_all();
        gave_way
    }

    fn cancel(&self) {
        let mut state = self.state();
        if self.lane != Lane::Write {
            state.waiting.clear();
            if let Some(running) = &state.running {
                running.cancel();
            }
        }
    }

    /// Waits for the next job. There is none once the queue is closed and empty. Asking for it says that the one
    /// before is done.
    fn next(&self) -> Option<(J, Cancel)> {
        let mut state = self.state();
        state.running = None;
        self.changed.notify_all();
        loop {
            if let Some(job) = state.waiting.pop_front() {
                let cancel = match self.lane {
                    Lane::Scan => Cancel::behind(self.precedence.clone()),
                    _ => Cancel::new(),
                };
                state.running = Some(cancel.clone());
                return Some((job, cancel));
            }
            if state.closed {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn close(&self) {
        self.state().closed = true;
        self.changed.notify_all();
    }

    fn wait_until_idle(&self, at_most: Duration) {
        let busy = |state: &mut QueueState<J>| state.running.is_some() || !state.waiting.is_empty();
        drop(self.changed.wait_timeout_while(self.state(), at_most, busy));
    }
}

#[cfg(test)]
mod tests {
    use crossbeam_channel::{Receiver, Sender, unbounded};

    use super::*;
    use crate::tui::events::{Event, Events};

    /// Runs closures; the name is ticket and report.
    struct Closures;

    struct Job {
        lane: Lane,
        name: String,
        act: Box<dyn FnOnce(&Cancel) -> &'static str + Send>,
    }

    impl Runner for Closures {
        type Job = Job;
        type Ticket = String;
        type Report = String;

        fn lane(&self, job: &Job) -> Lane {
            job.lane
        }

        fn ticket(&self, job: &Job) -> String {
            job.name.clone()
        }

        fn run(&self, job: Job, cancel: &Cancel, report: &mut dyn FnMut(String)) {
            report(format!("{} begins", job.name));
            let end = (job.act)(cancel);
            report(format!("{} {end}", job.name));
        }

        fn panicked(&self, ticket: String, message: String) -> String {
            format!("{ticket} panicked: {message}")
        }
    }

    fn job(lane: Lane, name: &str, act: impl FnOnce(&Cancel) -> &'static str + Send + 'static) -> Job {
        Job { lane, name: name.to_owned(), act: Box::new(act) }
    }

    /// A job that ends when `go` says so, and tells whether it was cancelled by then.
    fn held(lane: Lane, name: &str, go: &Receiver<()>) -> Job {
        let go = go.clone();
        job(lane, name, move |cancel| {
            go.recv().unwrap();
            if cancel.is_cancelled() { "was cancelled" } else { "ends" }
        })
    }

    fn quick(lane: Lane, name: &str) -> Job {
        job(lane, name, |_| "ends")
    }

    struct Bench {
        lanes: Lanes<Closures>,
        events: Events<String>,
        let_go: Sender<()>,
        go: Receiver<()>,
    }

    impl Bench {
        fn new() -> Self {
            let events = Events::deaf();
            let (let_go, go) = unbounded();
            Self { lanes: Lanes::new(Closures, &events.reporter()).unwrap(), events, let_go, go }
        }

        /// Starts a job that runs until it is let go.
        fn occupy(&self, lane: Lane) {
            assert!(self.lanes.submit(held(lane, "first", &self.go)).is_none());
            assert_eq!(self.reports(1), ["first begins"]);
        }

        fn submit(&self, job: Job) -> Option<String> {
            self.lanes.submit(job).map(|job| job.name)
        }

        /// Waits for this many reports.
        fn reports(&self, count: usize) -> Vec<String> {
            let mut reports = Vec::new();
            while reports.len() < count {
                reports.extend(self.events.next_batch(None).into_iter().map(|event| match event {
                    Event::Report(report) => report,
                    other => panic!("{other:?}"),
                }));
            }
            reports
        }
    }

    #[test]
    fn the_latest_wins() {
        use Lane::{Context, Find, Query, Scan, Search, Session, Text};
        for lane in [Scan, Session, Query, Search, Text, Find, Context] {
            let bench = Bench::new();
            bench.occupy(lane);
            assert_eq!(bench.submit(quick(lane, "second")), None);
            assert_eq!(bench.submit(quick(lane, "third")), Some("second".into()));
            bench.let_go.send(()).unwrap();
            assert_eq!(bench.reports(3), ["first was cancelled", "third begins", "third ends"]);
        }
    }

    #[test]
    fn the_newest_load_is_first_and_the_oldest_gives_way() {
        let bench = Bench::new();
        bench.occupy(Lane::Load);
        for number in 0..LOADS {
            assert_eq!(bench.submit(quick(Lane::Load, &number.to_string())), None);
        }
        assert_eq!(bench.submit(quick(Lane::Load, "newest")), Some("0".into()));
        bench.let_go.send(()).unwrap();
        let reports = bench.reports(1 + 2 * LOADS);
        assert_eq!(reports[..3], ["first ends", "newest begins", "newest ends"]);
        assert_eq!(reports.last().unwrap(), "1 ends");
    }

    #[test]
    fn writes_run_in_order_and_cannot_be_cancelled() {
        let bench = Bench::new();
        bench.occupy(Lane::Write);
        assert_eq!(bench.submit(quick(Lane::Write, "second")), None);
        assert_eq!(bench.submit(quick(Lane::Write, "third")), None);
        bench.lanes.cancel(Lane::Write);
        bench.let_go.send(()).unwrap();
        let reports = bench.reports(5);
        assert_eq!(reports, ["first ends", "second begins", "second ends", "third begins", "third ends"]);
    }

    #[test]
    fn cancelling_a_lane_forgets_what_waits() {
        let bench = Bench::new();
        bench.occupy(Lane::Query);
        bench.submit(quick(Lane::Query, "second"));
        bench.lanes.cancel(Lane::Query);
        bench.let_go.send(()).unwrap();
        assert_eq!(bench.reports(1), ["first was cancelled"]);
        bench.submit(quick(Lane::Query, "third"));
        assert_eq!(bench.reports(2), ["third begins", "third ends"]);
    }

    #[test]
    fn lanes_do_not_wait_for_each_other() {
        let bench = Bench::new();
        bench.occupy(Lane::Scan);
        bench.submit(quick(Lane::Session, "second"));
        assert_eq!(bench.reports(2), ["second begins", "second ends"]);
        bench.let_go.send(()).unwrap();
        assert_eq!(bench.reports(1), ["first ends"]);
    }

    #[test]
    fn a_panic_is_reported_and_the_lane_goes_on() {
        let bench = Bench::new();
        bench.submit(job(Lane::Query, "bad", |_| panic!("two\nlines")));
        assert_eq!(bench.reports(2), ["bad begins", "bad panicked: two lines"]);
        bench.submit(quick(Lane::Query, "good"));
        assert_eq!(bench.reports(2), ["good begins", "good ends"]);
    }

    #[test]
    fn the_end_waits_for_writes_and_for_nothing_else() {
        let bench = Bench::new();
        bench.occupy(Lane::Scan);
        bench.submit(quick(Lane::Write, "second"));
        bench.submit(quick(Lane::Write, "third"));
        drop(bench.lanes);
        let reports: Vec<Event<String>> = bench.events.next_batch(None);
        assert!(matches!(reports.last(), Some(Event::Report(report)) if report == "third ends"));
        bench.let_go.send(()).unwrap();
    }
}
