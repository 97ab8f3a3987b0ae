//! Which skill each name finds in a list of layers, worked out once for many look-ups.
//!
//! A layer looks a name up by itself, but one after another that takes time in each, and a pack that was made at run
//! time has no perfect hash. The rules about who wins aren't here; [`Layers`] applies them when a table is made.

use alloc::vec::Vec;

use super::layers::{Layer, Layers, Place};

/// The names of some layers, by hash. It answers only for the layers of which it was made.
#[derive(Debug, Clone, Default)]
pub struct NameTable {
    /// A power of two, more than half of them free; a name is in the first free slot from that of its hash on.
    slots: Vec<Slot>,
    others: Vec<OtherName>,
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    hash: u32,
    /// The layer of the skill that has this name, or [`FREE`] or [`OTHER`].
    layer: u32,
    /// Its index there, or that of the other name.
    index: u32,
}

/// Nothing is in this slot.
const FREE: u32 = u32::MAX;
/// The name is among the other names.
const OTHER: u32 = u32::MAX - 1;

/// A name that isn't the own one of the skill that it finds, as it is written.
#[derive(Debug, Clone, Copy)]
struct OtherName {
    /// Where the name is written: the layer, and the index among the names of its pack.
    layer: usize,
    name: usize,
    /// `None` if another skill keeps the name from being found.
    finds: Option<Place>,
}

impl NameTable {
    /// The names of these layers.
    pub fn new(layers: &[Layer<'_>]) -> Self {
        let names: usize = layers.iter().map(|layer| layer.pack.names().len()).sum();
        if names == 0 {
            return Self::default();
        }
        let free = Slot { hash: 0, layer: FREE, index: 0 };
        let mut table =
            Self { slots: alloc::vec![free; (names * 2 + 1).next_power_of_two()], others: Vec::new() };
        let rules = Layers::new(layers.to_vec());
        // Those of sealed layers come before all others, and a skill's own name before that of a directory.
        for (sealed, own) in [(true, true), (true, false), (false, true), (false, false)] {
            for (number, layer) in layers.iter().enumerate().filter(|(_, layer)| layer.is_sealed == sealed) {
                let names = layer.pack.names().enumerate().filter(|(_, (_, named))| named.is_own == own);
                for (at, (name, named)) in names {
                    let Err(slot) = table.slot(layers, name) else { continue };
                    let place = Place { layer: number, index: named.index };
                    let skill = layer.pack.skill(named.index);
                    let is_its_name = own && skill.is_some_and(|skill| skill.name() == name);
                    let (layer, index) = if is_its_name {
                        (number as u32, named.index as u32)
                    } else {
                        let finds = rules.meant(place, own, name);
                        table.others.push(OtherName { layer: number, name: at, finds });
                        (OTHER, table.others.len() as u32 - 1)
                    };
                    table.slots[slot] = Slot { hash: hash(name), layer, index };
                }
            }
        }
        table
    }

    /// The skill that a normalised name finds in the layers of this table.
    #[inline]
    pub(crate) fn find(&self, layers: &[Layer<'_>], name: &str) -> Option<Place> {
        self.slot(layers, name).ok().and_then(|slot| self.place(slot))
    }

    /// The slot of a name, or the one to put it in.
    #[inline]
    fn slot(&self, layers: &[Layer<'_>], name: &str) -> Result<usize, usize> {
        let hash = hash(name);
        let mut at = hash as usize & self.slots.len().wrapping_sub(1);
        while let Some(slot) = self.slots.get(at) {
            match slot.layer {
                FREE => return Err(at),
                _ if slot.hash == hash && self.text(slot, layers) == Some(name) => return Ok(at),
                _ => at = (at + 1) & (self.slots.len() - 1),
            }
        }
        Err(at)
    }

    #[inline]
    fn place(&self, slot: usize) -> Option<Place> {
        let Slot { layer, index, .. } = *self.slots.get(slot)?;
        match layer {
            OTHER => self.others.get(index as usize)?.finds,
            _ => Some(Place { layer: layer as usize, index: index as usize }),
        }
    }

    /// The name in a slot.
    #[inline]
    fn text<'a>(&self, slot: &Slot, layers: &[Layer<'a>]) -> Option<&'a str> {
        match slot.layer {
            OTHER => {
                let other = self.others.get(slot.index as usize)?;
                layers.get(other.layer)?.pack.name(other.name)
            }
            layer => Some(layers.get(layer as usize)?.pack.skill(slot.index as usize)?.name()),
        }
    }
}

/// A hash of a name, eight bytes at a time. Whoever writes names into a root can make them collide, which makes
/// looking up those names slower, and nothing else.
#[inline]
fn hash(name: &str) -> u32 {
    let (words, rest) = name.as_bytes().as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let all = words.iter().chain(core::iter::once(&last));
    let hash = all.fold(name.len() as u64, |hash, word| {
        let mixed = u128::from(hash ^ u64::from_le_bytes(*word)) * 0x9e37_79b9_7f4a_7c15;
        (mixed as u64) ^ ((mixed >> 64) as u64)
    });
    (hash >> 32) as u32 ^ hash as u32
}
