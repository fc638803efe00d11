/**
 * A commit that is not waited for on disk: only for what is simply done again where a crash of the server undoes it.
 * What is committed afterwards is on disk only with it.
 */

/** To be joined to a statement of a commit of its own, with `flushed.is_on = 'off'` among its conditions. */
export const UNFLUSHED = `(select set_config('synchronous_commit', 'off', true) as is_on) flushed`
