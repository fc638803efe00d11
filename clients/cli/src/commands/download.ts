/** `download ID`: brings the texts of a job as `get` does; waits where the job is not final. Buys nothing. */
import { openDelivery } from '../delivery-output.ts'
import { followJob } from '../follow-job.ts'
import { readOutput } from '../output.ts'
import { type Command, connect } from '../shell.ts'

export const download: Command = async (shell) => {
  const output = readOutput(shell.options, shell.isJson)
  const client = connect(shell)
  const [id = ''] = shell.words
  const { look, deliver } = openDelivery(shell, client, output)
  return deliver(await followJob(client, await client.jobs.get(id), shell.terminal, look))
}
