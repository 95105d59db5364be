//! Walk over structs in the compact protocol of Thrift, which keeps the positions of their fields.

/// Types of fields in the compact protocol.
pub(super) const FALSE: u8 = 2;
pub(super) const LIST: u8 = 9;
pub(super) const STRUCT: u8 = 12;

/// Structs of Parquet are nested less deeply; a damaged file could nest them without end.
const MAX_DEPTH: u8 = 32;

/// A position in a struct.
#[derive(Debug, Clone)]
pub(super) struct Walker<'a> {
    bytes: &'a [u8],
    pub(super) at: usize,
}

/// The header of a field.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field {
    pub(super) id: i64,
    pub(super) kind: u8,
    /// Position of the header.
    pub(super) at: usize,
}

impl<'a> Walker<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn forward(&mut self, bytes: u64) -> Option<()> {
        self.at = self.at.checked_add(usize::try_from(bytes).ok()?).filter(|at| *at <= self.bytes.len())?;
        Some(())
    }

    fn unsigned(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// An integer of any size.
    pub(super) fn integer(&mut self) -> Option<i64> {
        let number = self.unsigned()?;
        Some((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
    }

    /// Calls `visit` with each field of a struct, at the position of its value; a value that `visit` does not read is
    /// skipped.
    pub(super) fn each_field(&mut self, visit: &mut dyn FnMut(&mut Self, Field) -> Option<()>) -> Option<()> {
        self.each_field_nested(MAX_DEPTH, visit)
    }

    fn each_field_nested(&mut self, depth: u8, visit: &mut dyn FnMut(&mut Self, Field) -> Option<()>) -> Option<()> {
        let mut id = 0;
        loop {
            let at = self.at;
            let header = self.byte()?;
            if header == 0 {
                return Some(());
            }
            let delta = i64::from(header >> 4);
            id = if delta == 0 { self.integer()? } else { id + delta };
            let kind = header & 0x0F;
            let value_at = self.at;
            visit(self, Field { id, kind, at })?;
            if self.at == value_at {
                self.skip(kind, depth)?;
            }
        }
    }

    /// The number of items of a list, and their type.
    pub(super) fn list(&mut self) -> Option<(u64, u8)> {
        let header = self.byte()?;
        let short = u64::from(header >> 4);
        Some((if short == 15 { self.unsigned()? } else { short }, header & 0x0F))
    }

    fn skip(&mut self, kind: u8, depth: u8) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        match kind {
            1 | FALSE => Some(()),
            3 => self.forward(1),
            4..=6 => self.unsigned().map(drop),
            7 => self.forward(8),
            8 => self.unsigned().and_then(|length| self.forward(length)),
            LIST | 10 => {
                let (count, kind) = self.list()?;
                (0..count).try_for_each(|_| self.skip_item(kind, depth))
            }
            11 => {
                let count = self.unsigned()?;
                let kinds = if count == 0 { 0 } else { self.byte()? };
                (0..count).try_for_each(|_| {
                    self.skip_item(kinds >> 4, depth)?;
                    self.skip_item(kinds & 0x0F, depth)
                })
            }
            STRUCT => self.each_field_nested(depth, &mut |_, _| Some(())),
            _ => None,
        }
    }

    /// Booleans take a byte as items and none as fields.
    fn skip_item(&mut self, kind: u8, depth: u8) -> Option<()> {
        if matches!(kind, 1 | FALSE) { self.forward(1) } else { self.skip(kind, depth) }
    }
}
