/** Absolute addresses of this deployment's API. */

export const API_BASE = '/api/v1'

export type Links = ReturnType<typeof linksFrom>

/** Returns the absolute addresses of this deployment's API. */
export function linksFrom(publicUrl: string) {
  const job = (jobId: string): string => `${publicUrl}${API_BASE}/jobs/${jobId}`
  const file = (jobId: string, name: string): string => `${job(jobId)}/files/${name}`
  return {
    self: job,
    results: (jobId: string): string => `${job(jobId)}/results`,
    file,
    downloads: (jobId: string) => ({
      zip: file(jobId, 'zip'),
      allText: file(jobId, 'all.txt'),
      reportCsv: file(jobId, 'report.csv'),
    }),
  }
}
