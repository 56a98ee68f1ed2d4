use std::sync::Arc;

use super::SessionsPane;
use crate::app::Look;
use crate::store::{ScanEvent, ScannedRow, SessionSummary};

/// How far a scan is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Whether it goes on.
    pub is_running: bool,
    /// Whether it only looks for what has changed since the last one.
    pub is_again: bool,
    /// Files to be read in all.
    pub files: usize,
    /// Files read.
    pub files_done: usize,
    /// Bytes to be read in all.
    pub bytes: u64,
    /// Bytes read.
    pub bytes_done: u64,
}

impl SessionsPane {
    /// Begins a new scan; what was found before stays until the scan has found it again or ended.
    pub(crate) fn start_scan(&mut self) {
        self.progress = Progress { is_running: true, ..Progress::default() };
        self.found_again.clear();
        self.new_findings.clear();
    }

    /// Takes news of a scan.
    pub(crate) fn take(&mut self, event: ScanEvent) {
        match event {
            ScanEvent::Found { files, bytes } => {
                self.progress = Progress { files, bytes, ..self.progress };
            }
            ScanEvent::Batch { rows, findings, files, bytes } => {
                self.progress.files_done = files.max(self.progress.files_done);
                self.progress.bytes_done = bytes.max(self.progress.bytes_done);
                self.new_findings.extend(findings);
                if self.found.is_empty() {
                    self.findings.clone_from(&self.new_findings);
                }
                for ScannedRow { order, summary, .. } in rows {
                    self.take_row(order, summary);
                }
                self.rebuild();
            }
        }
    }

    /// Takes a session of the scan that goes on. A file that is reached twice keeps the row it was found by first, and a
    /// glimpse takes the place of nothing.
    fn take_row(&mut self, order: usize, summary: SessionSummary) {
        let is_known = self.places.contains_key(&summary.canonical);
        if summary.is_glimpse && is_known
            || !summary.is_glimpse && !self.found_again.insert(summary.canonical.clone())
        {
            return;
        }
        if let Some(&at) = self.places.get(&summary.canonical) {
            self.found[at] = (order, Arc::new(summary));
        } else {
            self.places.insert(summary.canonical.clone(), self.found.len());
            self.places.insert(summary.path.clone(), self.found.len());
            self.found.push((order, Arc::new(summary)));
        }
    }

    /// Takes what one file has come to after the scan.
    pub(crate) fn take_look(&mut self, look: Look) {
        let path = look.path();
        self.findings.retain(|finding| finding.path != path);
        let at = self.found.iter().position(|(_, summary)| summary.path == path);
        match (look, at) {
            (Look::Row(summary), Some(at)) => self.found[at].1 = Arc::new(*summary),
            // Equally recent sessions are listed in the order of discovery, and this was discovered last.
            (Look::Row(summary), None) if !self.places.contains_key(&summary.canonical) => {
                self.found.push((usize::MAX, Arc::new(*summary)));
            }
            (Look::Row(_), None) => {}
            (other, at) => {
                if let Some(at) = at {
                    self.found.remove(at);
                }
                if let Look::Finding(finding) = other {
                    self.findings.push(finding);
                }
            }
        }
        self.index();
        self.rebuild();
    }

    fn index(&mut self) {
        self.places.clear();
        for (at, (_, summary)) in self.found.iter().enumerate() {
            self.places.insert(summary.canonical.clone(), at);
            self.places.insert(summary.path.clone(), at);
        }
    }

    /// The scan is over: what it has not found is gone.
    pub(crate) fn end_scan(&mut self) {
        self.progress.is_running = false;
        let found_again = std::mem::take(&mut self.found_again);
        self.found.retain(|(_, summary)| found_again.contains(&summary.canonical));
        self.findings = std::mem::take(&mut self.new_findings);
        self.index();
        self.rebuild();
    }
}
