/** A process of the service for the benchmarks: answers its parent's questions one at a time. */
import type { CpuProfile } from './cpu-profile.ts'
import { hostService, type Usage } from './hosted-service.ts'

export type Question = 'usage' | 'profile' | 'profiled'
export type Answer = { address: string } | Usage | { profile: CpuProfile } | null

const service = await hostService(process.env)
let profiling: { over(): void; taken: Promise<{ profile: CpuProfile }> } | null = null

process.on('message', (question: Question) => void answer(question).then((said) => process.send?.(said)))
process.once('disconnect', () => void service.close().finally(() => process.exit(0)))
process.send?.({ address: service.address } satisfies Answer)

async function answer(question: Question): Promise<Answer> {
  switch (question) {
    case 'usage':
      return service.usage()
    case 'profile': {
      const { promise, resolve } = Promise.withResolvers<void>()
      const begun = Promise.withResolvers<void>()
      const taken = service.profile(() => {
        begun.resolve()
        return promise
      })
      profiling = { over: resolve, taken }
      await begun.promise
      return null
    }
    case 'profiled':
      profiling?.over()
      return { profile: (await profiling?.taken)?.profile ?? { nodes: [], samples: [], timeDeltas: [] } }
    default:
      return question satisfies never
  }
}
