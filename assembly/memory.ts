/**
 * Rooms in the module's memory, one after the other: those of a transcript, and behind them those of the form that is
 * being written. Nothing is freed; the next transcript begins where this one did.
 */

let end: usize = __heap_base

const PAGE_BITS: usize = 16
/** Numbers of any kind are read in one step there. */
const ALIGNED: usize = 8

/** Everything after this address is free again. */
export function freeFrom(address: usize): void {
  end = address
}

export function firstRoom(): usize {
  return __heap_base
}

/** The address of so many bytes, with whatever was there before. Traps where the machine has no memory left. */
export function room(bytes: usize): usize {
  const at = (end + ALIGNED - 1) & ~(ALIGNED - 1)
  end = at + bytes
  const pages = <i32>((end + (1 << PAGE_BITS) - 1) >> PAGE_BITS)
  const more = pages - memory.size()
  if (more > 0 && memory.grow(more) < 0) unreachable()
  return at
}
