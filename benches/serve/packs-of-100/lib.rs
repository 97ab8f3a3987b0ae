//! The skills of `bundle-1000` in ten bundles, as ten crates would have them.

use skills::{Bundle, Registry};

mod packs {
    //! What the build script made.
    #![allow(missing_docs, reason = "each is a hundred of the skills")]
    use skills as __skills;
    include!(concat!(env!("OUT_DIR"), "/packs.rs"));
}

static PACKS: [(&str, &Bundle); 10] = [
    ("pack-0", &packs::PACK_0),
    ("pack-1", &packs::PACK_1),
    ("pack-2", &packs::PACK_2),
    ("pack-3", &packs::PACK_3),
    ("pack-4", &packs::PACK_4),
    ("pack-5", &packs::PACK_5),
    ("pack-6", &packs::PACK_6),
    ("pack-7", &packs::PACK_7),
    ("pack-8", &packs::PACK_8),
    ("pack-9", &packs::PACK_9),
];

/// All of them.
pub static REGISTRY: Registry<'_> = Registry::of(&PACKS);
