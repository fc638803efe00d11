/** How many videos `get --all` may cost: as many as its lists say that they hold, where they do. */
import { type Scriptorium, ScriptoriumError } from '../../typescript/src/index.ts'
import { limitedTo, ORDER_VIDEOS_MAX, type OrderBody } from './order-options.ts'
import { takenOf } from './preview-lines.ts'
import { choicesOf, ORDER_LINES_MAX, plainLines, type Wish } from './wish.ts'

/**
 * Returns the order with the number of videos that a preview counts, in place of the highest one that there is. An
 * order of more lines than a preview takes stays as it is, and so does one with a list of unknown length.
 */
export async function sizedOrder(
  client: Scriptorium,
  wish: Wish,
  order: OrderBody,
): Promise<OrderBody> {
  const lines = plainLines(wish.urls)
  if (lines === null || lines.length > ORDER_LINES_MAX) return order
  const asked = limitedTo(ORDER_VIDEOS_MAX, order)
  const choices = choicesOf(wish)
  const { sources } = await client.preview(asked, choices).catch(asUnknown)
  const isKnown =
    sources.length > 0 && sources.every(({ videos, error }) => videos !== null && error === null)
  if (!isKnown) return order
  const videos = sources.reduce((sum, source) => sum + takenOf(source, choices.owned), 0)
  return limitedTo(Math.max(1, videos), order)
}

/** A preview only makes the price smaller: an order that it refuses is refused, or taken, by itself. */
function asUnknown(error: unknown): { sources: [] } {
  if (error instanceof ScriptoriumError) return { sources: [] }
  throw error
}
