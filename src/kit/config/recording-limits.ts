/** Limits of recording what was fetched. */

export const RECORDING_LIMITS = {
  /** Part of a process's connections that record videos; the rest is for planning, ends and callers. */
  recordingShare: 0.5,
  /** Videos that were fetched and are being rendered and recorded, at most; then fetching waits. */
  recordedAtOnceMax: 32,
  /** Rows of a job that are recorded in one statement: so many, and so many bytes of them or only one. */
  recordedTogetherMax: 8,
  recordedTogetherBytes: 4 * 1024 * 1024,
} as const
