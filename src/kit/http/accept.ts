/** Accept as far as it matters here: whether somebody would rather have a page as Markdown. */
import { weightsOf } from './accept-encoding.ts'

/** Only where it is named: browsers accept everything, and never say so of Markdown. Of equals it wins. */
export function prefersMarkdown(accept: string | undefined): boolean {
  const weights = weightsOf(accept ?? '')
  const markdown = weights.get('text/markdown') ?? 0
  return markdown > 0 && markdown >= (weights.get('text/html') ?? 0)
}
