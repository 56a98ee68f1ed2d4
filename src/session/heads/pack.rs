use super::bytes::{Bytes, put_float, put_id, put_number, put_signed, put_some_text, put_text};
use crate::format::{AssistantHead, CallHead, EntryHead, EntryId, Kind, MessageHead, ParentRef, Role, Usage};

/// What an entry is: the first byte of a packed head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::session) enum Class {
    User,
    Assistant,
    /// An answer that only called tools.
    MereToolUse,
    ToolResult,
    OtherMessage,
    CustomMessage,
    Compaction,
    BranchSummary,
    ModelChange,
    ThinkingLevelChange,
    Custom,
    ContextEdit,
    Label,
    SessionInfo,
    Usage,
    Unknown,
}

impl Class {
    const ALL: [Self; 16] = [
        Self::User,
        Self::Assistant,
        Self::MereToolUse,
        Self::ToolResult,
        Self::OtherMessage,
        Self::CustomMessage,
        Self::Compaction,
        Self::BranchSummary,
        Self::ModelChange,
        Self::ThinkingLevelChange,
        Self::Custom,
        Self::ContextEdit,
        Self::Label,
        Self::SessionInfo,
        Self::Usage,
        Self::Unknown,
    ];

    fn of(kind: &Kind) -> Self {
        match kind {
            Kind::Message(message) => match &message.role {
                Role::User => Self::User,
                Role::Assistant(answer) if answer.is_mere_tool_use() => Self::MereToolUse,
                Role::Assistant(_) => Self::Assistant,
                Role::ToolResult { .. } => Self::ToolResult,
                Role::BashExecution { .. } | Role::System | Role::Other(_) | Role::Missing => {
                    Self::OtherMessage
                }
            },
            Kind::CustomMessage { .. } => Self::CustomMessage,
            Kind::Compaction { .. } => Self::Compaction,
            Kind::BranchSummary => Self::BranchSummary,
            Kind::ModelChange { .. } => Self::ModelChange,
            Kind::ThinkingLevelChange { .. } => Self::ThinkingLevelChange,
            Kind::Custom { .. } => Self::Custom,
            Kind::ContextEdit { .. } => Self::ContextEdit,
            Kind::Label { .. } => Self::Label,
            Kind::SessionInfo { .. } => Self::SessionInfo,
            Kind::Usage { .. } => Self::Usage,
            Kind::Unknown(_) => Self::Unknown,
        }
    }
}

/// Bits of the second byte.
const OWN_ID: u8 = 1;
const CUT_GIST: u8 = 2;
const TIME: u8 = 4;
const USAGE: u8 = 8;
/// What is said of the parent, in two bits.
const PARENT: u8 = 4;
const NO_PARENT: u8 = 1;
const PARENT_BEFORE: u8 = 2;
const PARENT_ID: u8 = 3;

/// Writes all of a head but where it stands and its own id. `before` is the id of the entry before it, which is what most
/// entries hang below.
pub(super) fn write(head: &EntryHead, before: Option<&EntryId>, out: &mut Vec<u8>) {
    let parent = match &head.parent {
        ParentRef::Missing => 0,
        ParentRef::None => NO_PARENT,
        ParentRef::Id(id) if before == Some(id) => PARENT_BEFORE,
        ParentRef::Id(_) => PARENT_ID,
    };
    let flag = |bit: u8, is_set: bool| if is_set { bit } else { 0 };
    out.push(Class::of(&head.kind) as u8);
    out.push(
        parent << PARENT
            | flag(OWN_ID, head.id.is_some())
            | flag(CUT_GIST, head.gist_is_cut)
            | flag(TIME, head.time.is_some())
            | flag(USAGE, head.usage.is_some()),
    );
    if let (PARENT_ID, ParentRef::Id(id)) = (parent, &head.parent) {
        put_id(id, out);
    }
    if let Some(time) = head.time {
        put_signed(time, out);
    }
    if let Some(usage) = &head.usage {
        put_usage(usage, out);
    }
    put_kind(&head.kind, out);
    put_text(&head.gist, out);
}

/// Reads a head that was written, with the ids of its own entry and of the one before.
pub(super) fn read(packed: &[u8], own: &EntryId, before: Option<&EntryId>) -> EntryHead {
    let mut bytes = Bytes(packed);
    let class = class_of(bytes.byte());
    let flags = bytes.byte();
    let has = |bit: u8| flags & bit != 0;
    let parent = read_parent(flags, before, &mut bytes);
    let time = has(TIME).then(|| bytes.signed());
    let usage = has(USAGE).then(|| Box::new(usage(&mut bytes)));
    EntryHead {
        offset: 0,
        length: 0,
        line: 0,
        id: has(OWN_ID).then(|| own.clone()),
        parent,
        time,
        kind: kind(class, &mut bytes),
        gist: bytes.text().into(),
        gist_is_cut: has(CUT_GIST),
        usage,
    }
}

fn read_parent(flags: u8, before: Option<&EntryId>, bytes: &mut Bytes<'_>) -> ParentRef {
    match flags >> PARENT {
        0 => ParentRef::Missing,
        PARENT_BEFORE => before.map_or(ParentRef::None, |id| ParentRef::Id(id.clone())),
        PARENT_ID => ParentRef::Id(bytes.id()),
        _ => ParentRef::None,
    }
}

pub(super) fn parent(packed: &[u8], before: Option<&EntryId>) -> ParentRef {
    let mut bytes = Bytes(packed);
    bytes.byte();
    read_parent(bytes.byte(), before, &mut bytes)
}

pub(super) fn time(packed: &[u8]) -> Option<i64> {
    let mut bytes = Bytes(packed);
    bytes.byte();
    let flags = bytes.byte();
    read_parent(flags, None, &mut bytes);
    (flags & TIME != 0).then(|| bytes.signed())
}

pub(super) fn class(packed: &[u8]) -> Class {
    class_of(packed.first().copied().unwrap_or_default())
}

pub(super) fn has_own_id(packed: &[u8]) -> bool {
    packed.get(1).is_some_and(|flags| flags & OWN_ID != 0)
}

pub(super) fn has_usage(packed: &[u8]) -> bool {
    packed.get(1).is_some_and(|flags| flags & USAGE != 0)
}

fn class_of(byte: u8) -> Class {
    Class::ALL.get(usize::from(byte)).copied().unwrap_or(Class::Unknown)
}

fn put_usage(usage: &Usage, out: &mut Vec<u8>) {
    let Usage { input, output, cache_read, cache_write, total_tokens, cost, is_doubtful } = *usage;
    out.push(u8::from(is_doubtful));
    for number in [input, output, cache_read, cache_write, total_tokens, cost] {
        put_float(number, out);
    }
}

fn usage(bytes: &mut Bytes<'_>) -> Usage {
    let is_doubtful = bytes.byte() == 1;
    Usage {
        is_doubtful,
        input: bytes.float(),
        output: bytes.float(),
        cache_read: bytes.float(),
        cache_write: bytes.float(),
        total_tokens: bytes.float(),
        cost: bytes.float(),
    }
}

fn put_kind(kind: &Kind, out: &mut Vec<u8>) {
    match kind {
        Kind::Message(MessageHead { role, time }) => {
            put_number(time.map_or(0, |_| 1), out);
            if let Some(time) = time {
                put_signed(*time, out);
            }
            put_role(role, out);
        }
        Kind::CustomMessage { custom_type, display } => {
            out.push(u8::from(*display));
            put_text(custom_type, out);
        }
        Kind::Compaction { tokens_before, first_kept, first_kept_index } => {
            put_float(*tokens_before, out);
            out.push(u8::from(first_kept.is_some()) | u8::from(first_kept_index.is_some()) << 1);
            if let Some(id) = first_kept {
                put_id(id, out);
            }
            if let Some(index) = first_kept_index {
                put_float(*index, out);
            }
        }
        Kind::BranchSummary => {}
        Kind::ModelChange { provider, model } => {
            put_text(provider, out);
            put_text(model, out);
        }
        Kind::ThinkingLevelChange { level: text }
        | Kind::Custom { custom_type: text }
        | Kind::Usage { model: text }
        | Kind::Unknown(text) => put_text(text, out),
        Kind::ContextEdit { target, omits } => {
            out.push(u8::from(*omits));
            put_id(target, out);
        }
        Kind::Label { target, label } => {
            put_id(target, out);
            put_some_text(label.as_deref(), out);
        }
        Kind::SessionInfo { name } => put_some_text(name.as_deref(), out),
    }
}

fn kind(class: Class, bytes: &mut Bytes<'_>) -> Kind {
    match class {
        Class::User | Class::Assistant | Class::MereToolUse | Class::ToolResult | Class::OtherMessage => {
            let time = (bytes.number() == 1).then(|| bytes.signed());
            Kind::Message(MessageHead { role: role(class, bytes), time })
        }
        Class::CustomMessage => {
            let display = bytes.byte() == 1;
            Kind::CustomMessage { custom_type: bytes.text().into(), display }
        }
        Class::Compaction => {
            let tokens_before = bytes.float();
            let known = bytes.byte();
            let first_kept = (known & 1 != 0).then(|| bytes.id());
            let first_kept_index = (known & 2 != 0).then(|| bytes.float());
            Kind::Compaction { tokens_before, first_kept, first_kept_index }
        }
        Class::BranchSummary => Kind::BranchSummary,
        Class::ModelChange => {
            let provider = bytes.text().into();
            Kind::ModelChange { provider, model: bytes.text().into() }
        }
        Class::ThinkingLevelChange => Kind::ThinkingLevelChange { level: bytes.text().into() },
        Class::Custom => Kind::Custom { custom_type: bytes.text().into() },
        Class::ContextEdit => {
            let omits = bytes.byte() == 1;
            Kind::ContextEdit { target: bytes.id(), omits }
        }
        Class::Label => {
            let target = bytes.id();
            Kind::Label { target, label: bytes.some_text().map(Into::into) }
        }
        Class::SessionInfo => Kind::SessionInfo { name: bytes.some_text().map(Into::into) },
        Class::Usage => Kind::Usage { model: bytes.text().into() },
        Class::Unknown => Kind::Unknown(bytes.text().into()),
    }
}

/// What tells the roles apart that share a class.
const BASH: u8 = 0;
const EXCLUDED_BASH: u8 = 1;
const SYSTEM: u8 = 2;
const OTHER: u8 = 3;
const MISSING: u8 = 4;

fn put_role(role: &Role, out: &mut Vec<u8>) {
    match role {
        Role::User => {}
        Role::Assistant(answer) => put_answer(answer, out),
        Role::ToolResult { call_id, tool_name, is_error } => {
            out.push(u8::from(*is_error));
            put_text(call_id, out);
            put_text(tool_name, out);
        }
        Role::BashExecution { excluded } => out.push(if *excluded { EXCLUDED_BASH } else { BASH }),
        Role::System => out.push(SYSTEM),
        Role::Other(word) => {
            out.push(OTHER);
            put_text(word, out);
        }
        Role::Missing => out.push(MISSING),
    }
}

fn role(class: Class, bytes: &mut Bytes<'_>) -> Role {
    match class {
        Class::User => Role::User,
        Class::Assistant | Class::MereToolUse => Role::Assistant(Box::new(answer(bytes))),
        Class::ToolResult => {
            let is_error = bytes.byte() == 1;
            let call_id = bytes.text().into();
            Role::ToolResult { call_id, tool_name: bytes.text().into(), is_error }
        }
        _ => match bytes.byte() {
            BASH => Role::BashExecution { excluded: false },
            EXCLUDED_BASH => Role::BashExecution { excluded: true },
            SYSTEM => Role::System,
            OTHER => Role::Other(bytes.text().into()),
            _ => Role::Missing,
        },
    }
}

fn put_answer(answer: &AssistantHead, out: &mut Vec<u8>) {
    out.push(u8::from(answer.has_text));
    for word in [&answer.provider, &answer.model, &answer.response_model, &answer.stop_reason] {
        put_some_text(word.as_deref(), out);
    }
    put_text(&answer.error, out);
    put_number(answer.calls.len() as u64, out);
    for CallHead { id, name, before, path, after } in &answer.calls {
        for text in [id, name, before, after] {
            put_text(text, out);
        }
        put_some_text(path.as_deref(), out);
    }
}

fn answer(bytes: &mut Bytes<'_>) -> AssistantHead {
    AssistantHead {
        has_text: bytes.byte() == 1,
        provider: bytes.some_text().map(Into::into),
        model: bytes.some_text().map(Into::into),
        response_model: bytes.some_text().map(Into::into),
        stop_reason: bytes.some_text().map(Into::into),
        error: bytes.text().into(),
        calls: (0..bytes.number())
            .map(|_| CallHead {
                id: bytes.text().into(),
                name: bytes.text().into(),
                before: bytes.text().into(),
                after: bytes.text().into(),
                path: bytes.some_text().map(Into::into),
            })
            .collect(),
    }
}
