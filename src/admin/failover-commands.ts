/** `admin failover accept`: an operator has made good what a failover of the database lost. */
import { acceptFailovers, sentenceOfGap } from '../features/operator/failovers.ts'
import { actorOf, readReason } from './account-commands.ts'
import type { Command } from './command.ts'

const acceptCommand: Command = {
  usage: 'failover accept --reason TEXT [--by NAME] [--json]',
  about: 'accepts what failovers lost, and a database that was moved to another server',
  acceptsSystem: true,
  async run({ db, failovers }, input) {
    const reason = readReason(input)
    await failovers.look()
    const system = failovers.acceptSystem()
    const gaps = await acceptFailovers(db, { actor: actorOf(input), reason, system })
    const lines = [
      ...(system === null ? [] : [`system ${system.systemId} is accepted on this machine`]),
      ...gaps.map((gap) => `accepted: ${sentenceOfGap(gap)}`),
    ]
    const nothing = ['nothing is to be accepted: no failover lost anything that was told']
    return { value: { system, accepted: gaps }, lines: lines.length > 0 ? lines : nothing }
  },
}

export const FAILOVER_COMMANDS = [acceptCommand]
