/// A sentence for the person, shown until the next key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// How serious it is.
    pub tone: NoticeTone,
    /// The sentence, sanitised when it is drawn.
    pub text: String,
}

/// How serious a notice is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeTone {
    /// Something was done.
    Done,
    /// Something could not be done.
    Failed,
}

impl Notice {
    /// Something was done.
    pub fn done(text: impl Into<String>) -> Self {
        Self { tone: NoticeTone::Done, text: text.into() }
    }

    /// Something could not be done.
    pub fn failed(text: impl Into<String>) -> Self {
        Self { tone: NoticeTone::Failed, text: text.into() }
    }
}
