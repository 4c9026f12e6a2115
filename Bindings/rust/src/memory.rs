use crate::error::{check, Error};
use crate::ffi;
use std::alloc::{alloc_zeroed, dealloc, handle_alloc_error, Layout};
use std::ffi::{c_int, c_void};
use std::ptr::{null_mut, NonNull};

/// A detector, an echo or a cutter in memory of its own, which needs no destroy.
pub(crate) struct Memory<T> {
    object: NonNull<T>,
    layout: Layout,
}

impl<T> Memory<T> {
    /// Allocates `size` bytes, in which `init` makes the object and reports where it is.
    pub(crate) fn new(
        size: usize,
        init: impl FnOnce(*mut c_void, usize, *mut *mut T) -> c_int,
    ) -> Result<Self, Error> {
        let layout = Layout::from_size_align(size, ffi::VA_DETECTOR_ALIGNMENT).expect("at most some MiB");
        let Some(object) = NonNull::new(unsafe { alloc_zeroed(layout) }) else { handle_alloc_error(layout) };
        let memory = Memory { object: object.cast(), layout }; // frees itself if init fails
        check(init(object.as_ptr().cast(), size, &mut null_mut()))?;
        Ok(memory)
    }

    pub(crate) fn as_ptr(&self) -> *mut T {
        self.object.as_ptr()
    }

    /// Saves the object in at most `capacity` bytes.
    pub(crate) fn save(
        &self,
        capacity: usize,
        save: impl FnOnce(*const T, *mut c_void, usize, *mut usize) -> c_int,
    ) -> Result<Vec<u8>, Error> {
        let (mut bytes, mut size) = (vec![0; capacity], 0);
        check(save(self.as_ptr(), bytes.as_mut_ptr().cast(), capacity, &mut size))?;
        bytes.truncate(size);
        Ok(bytes)
    }
}

impl<T> Drop for Memory<T> {
    fn drop(&mut self) {
        unsafe { dealloc(self.object.as_ptr().cast(), self.layout) }
    }
}
