//! Serves skills without `std`: with an allocator and a panic handler of its own.
//!
//! Anything that pulls in `std` brings a second panic handler, and this does not compile. So it builds only
//! as long as a bundle needs neither `std` nor anything that needs it: no file system, no YAML.

#![no_std]

extern crate alloc;

use alloc::string::ToString as _;
use core::alloc::{GlobalAlloc, Layout};
use core::panic::PanicInfo;
use core::ptr;

use skills::{Bundle, Registry};

static SKILLS: Bundle = skills::bundle!();
static REGISTRY: Registry<'static> = Registry::new(&SKILLS);
/// The same among the packs of other crates.
static PACK: Bundle = Bundle::EMPTY;
static PACKS: Registry<'static> = Registry::of(&[("app", &SKILLS), ("pack", &PACK)]);

/// The four actions of both registries. Returns how much they answered, so that none of them is left out.
#[unsafe(no_mangle)]
pub extern "C" fn probe() -> usize {
    answered_by(&REGISTRY) + answered_by(&PACKS) + PACKS.shadowed().len()
}

fn answered_by(registry: &Registry<'static>) -> usize {
    let answers = [
        registry.list().to_string(),
        registry.search("pdf").map_or_else(|error| error.to_string(), |found| found.to_string()),
        registry.load("pdf").map_or_else(|error| error.to_string(), |loaded| loaded.text()),
        registry.read_file("pdf", "a.md", 0).map_or_else(|error| error.to_string(), |file| file.to_string()),
    ];
    let answered: usize = answers.iter().map(|answer| answer.len()).sum();
    #[cfg(feature = "json")]
    return answered + registry.call(r#"{"action": "list"}"#).text.len();
    #[cfg(not(feature = "json"))]
    answered
}

/// Has nothing to give.
struct NoMemory;

// SAFETY: an allocator returns null if there is no memory, and this one never returns anything else.
unsafe impl GlobalAlloc for NoMemory {
    unsafe fn alloc(&self, _: Layout) -> *mut u8 {
        ptr::null_mut()
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[global_allocator]
static ALLOCATOR: NoMemory = NoMemory;

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    loop {}
}
