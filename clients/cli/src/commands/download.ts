/** `download ID`: brings the texts of a job or batch as `get` does; waits for its end. Buys nothing. */
import { deliverBatch } from '../batch-delivery.ts'
import { openDelivery } from '../delivery-output.ts'
import { isBatchId } from '../follow-batch.ts'
import { followJob } from '../follow-job.ts'
import { readOutput } from '../output.ts'
import { type Command, connect } from '../shell.ts'

export const download: Command = async (shell) => {
  const output = readOutput(shell.options, shell.isJson)
  const client = connect(shell)
  const [id = ''] = shell.words
  if (isBatchId(id)) {
    return (await deliverBatch(shell, client, { batch: await client.batches.get(id), output })).exit
  }
  const { look: onLook, deliver } = openDelivery(shell, client, output)
  return deliver(await followJob(client, await client.jobs.get(id), shell.terminal, { onLook }))
}
