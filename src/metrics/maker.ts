/** Makes metrics of one registry. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

export type Maker = ReturnType<typeof makerIn>

/** Returns what makes metrics of a registry. */
export function makerIn(registry: Registry) {
  const registers = [registry]
  type Labels<Label> = readonly Label[]
  return {
    counter: <Label extends string = never>(name: string, help: string, labels?: Labels<Label>) =>
      new Counter({ name, help, labelNames: labels ?? [], registers }),
    gauge: <Label extends string = never>(name: string, help: string, labels?: Labels<Label>) =>
      new Gauge({ name, help, labelNames: labels ?? [], registers }),
    histogram: <Label extends string>(
      name: string,
      help: string,
      { buckets, labels }: { buckets: number[]; labels: Labels<Label> },
    ) => new Histogram({ name, help, buckets, labelNames: labels, registers }),
  }
}
