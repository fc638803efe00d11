/** Prometheus' data: series of points, each under a name and labels. */
export type Labels = Readonly<Record<string, string>>
export type Point = { atMs: number; value: number }
export type Series = { name: string; labels: Labels; points: Point[] }
export type Sample = { labels: Labels; value: number }

export function unnamed(labels: Labels): Labels {
  const { __name__, ...rest } = labels
  return rest
}
