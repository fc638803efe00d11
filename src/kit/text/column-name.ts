/** Returns the name of a value's column: `skips_owned` for `skipsOwned`, `credential_id` for `credentialID`. */
export function columnOf(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => `_${letters.toLowerCase()}`)
}
