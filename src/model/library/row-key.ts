/** The key of a job's row, by which its text is named. */
export type RowKey = { jobId: string; index: number }

export function keyOfRow({ jobId, index }: RowKey): string {
  return `${jobId} ${index}`
}
