/** What a request accepts: media types and encodings (RFC 9110). */

// Accept is read only to see whether a client prefers a page as Markdown.

/**
 * Whether a request prefers Markdown. It must name it: browsers accept everything and never name Markdown. At equal
 * weights Markdown wins.
 */
export function prefersMarkdown(accept: string | undefined): boolean {
  const weights = weightsOf(accept ?? '')
  const markdown = weights.get('text/markdown') ?? 0
  return markdown > 0 && markdown >= (weights.get('text/html') ?? 0)
}

// Accept-Encoding is read as in RFC 9110, section 12.5.3, for JSON, files and the website alike.

const WEIGHT = /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/

/**
 * Returns the encoding that a header prefers among `ours`, or null for none. At equal weights the first of `ours` wins;
 * `identity` wins only with a greater weight.
 */
export function acceptedEncoding<Encoding extends string>(
  header: string | string[] | undefined,
  ours: readonly Encoding[],
): Encoding | null {
  const weights = weightsOf(Array.isArray(header) ? header.join(',') : (header ?? ''))
  const any = weights.get('*')
  let chosen: Encoding | null = null
  let best = 0
  for (const encoding of ours) {
    const weight = weights.get(encoding) ?? any ?? 0
    if (weight > best) [chosen, best] = [encoding, weight]
  }
  return (weights.get('identity') ?? 0) > best ? null : chosen
}

/** Returns the weight of each name in a header of this kind; a weight of 0 refuses the name. */
export function weightsOf(header: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim())
    const weight = parameters.find((word) => word.startsWith('q='))?.slice(2)
    const isWeight = weight === undefined || WEIGHT.test(weight)
    if (name !== '' && isWeight) weights.set(name === 'x-gzip' ? 'gzip' : name, Number(weight ?? 1))
  }
  return weights
}
