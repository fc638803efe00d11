/** Reads the body of an answer up to a size. Throws a RangeError beyond it, and what the connection throws. */
export async function readUpTo(body: AsyncIterable<Buffer>, bytesMax: number): Promise<string> {
  return (await readBytesUpTo(body, bytesMax)).toString()
}

/** Reads a body that is no text, likewise. */
export async function readBytesUpTo(
  body: AsyncIterable<Buffer>,
  bytesMax: number,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > bytesMax) throw new RangeError(`the answer has more than ${bytesMax} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
