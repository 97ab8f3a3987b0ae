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

/// The four actions. Returns how much they answered, so that none of them is left out.
#[unsafe(no_mangle)]
pub extern "C" fn probe() -> usize {
    let answers = [
        REGISTRY.list().to_string(),
        REGISTRY.search("pdf").map_or_else(|error| error.to_string(), |found| found.to_string()),
        REGISTRY.load("pdf").map_or_else(|error| error.to_string(), |loaded| loaded.text()),
        REGISTRY.read_file("pdf", "a.md", 0).map_or_else(|error| error.to_string(), |file| file.to_string()),
    ];
    let answered: usize = answers.iter().map(|answer| answer.len()).sum();
    #[cfg(feature = "json")]
    return answered + REGISTRY.call(r#"{"action": "list"}"#).text.len();
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
