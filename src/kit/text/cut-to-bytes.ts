/** Returns as much of a text as takes `bytesMax` bytes in UTF-8, cut between characters and never inside one. */
export function cutToBytes(text: string, bytesMax: number): string {
  if (Buffer.byteLength(text) <= bytesMax) return text
  let bytes = 0
  let cut = ''
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > bytesMax) return cut
    cut += character
  }
  return cut
}
