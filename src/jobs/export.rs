use std::io;

use crate::app::{ExportPart, Exported, Secrets, WantedExport};
use crate::cancel::Cancel;
use crate::edit::as_version_3;
use crate::error::{Cause, Error};
use crate::export::{Document, DocumentKind, Existing, Format, Redactor, Stamp, write_file};
use crate::store::Environment;

/// Writes a document, unless a file is in the way that is to stay.
pub(super) fn run(wanted: WantedExport, environment: &Environment, now: i64, cancel: &Cancel) -> Exported {
    match carry_out(&wanted, environment, now, cancel) {
        Ok(done) => done,
        Err(Error { cause: Cause::Io(error), .. })
            if error.kind() == io::ErrorKind::AlreadyExists && wanted.existing == Existing::Kept =>
        {
            Exported::Occupied(Box::new(wanted))
        }
        Err(error) => Exported::Failed(error),
    }
}

fn carry_out(
    wanted: &WantedExport,
    environment: &Environment,
    now: i64,
    cancel: &Cancel,
) -> Result<Exported, Error> {
    let session = &*wanted.session;
    let path = environment.absolute(&wanted.path);
    let context = (wanted.part == ExportPart::Context).then(|| session.context_at(Some(wanted.leaf)));
    let migrated = match (wanted.format, &context) {
        (Format::Jsonl, None) => {
            as_version_3(session).map_err(|cause| Error::new("cannot migrate", session.path(), cause))?
        }
        _ => None,
    };
    let branch = session.path_to(Some(wanted.leaf));
    let redactor = (wanted.secrets == Secrets::Masked).then(Redactor::default);
    let document = Document {
        session: migrated.as_ref().unwrap_or(session),
        entries: context.as_ref().map_or(&branch, |context| &context.entries),
        kind: context.as_ref().map_or(DocumentKind::Branch, DocumentKind::Context),
        redact: redactor.as_ref(),
        zone: environment.zone(),
        cancel,
        progress: &|_| {},
    };
    let stamp = Stamp::new(session, environment, now);
    let size =
        write_file(&path, session, wanted.existing, |out| wanted.format.write(&document, &stamp, out))?;
    Ok(Exported::Done { path, size, masked: redactor.map(|redactor| redactor.counts()) })
}
