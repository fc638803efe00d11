/**
 * Papers that `npm run print` writes from the contract, with this server's address put in: the OpenAPI document and the
 * reference. Nothing is made of them while requests wait.
 */
import fs from 'node:fs'
import path from 'node:path'
import { dollars, PRICE_MICROS } from '../../model/money/money.ts'

/** Stands in printed papers, as in the guides, where the address of the service belongs. */
export const PRINTED_ADDRESS = 'https://host'

const FOLDER = path.join(import.meta.dirname, 'printed')

/** Address of the service, and that of the operator's terms; null where they have no page. */
type DocumentPlace = { publicUrl: string; termsUrl: string | null }

/** Returns the OpenAPI document as it is served: JSON without blanks. */
export function readDescription({ publicUrl, termsUrl }: DocumentPlace): Buffer {
  const document = JSON.parse(readPrinted('openapi.json')) as { info: { termsOfService?: string } }
  if (termsUrl === null) delete document.info.termsOfService
  return Buffer.from(withPublicUrl(JSON.stringify(document), publicUrl))
}

/** Returns the reference of the API as Markdown. */
export function readReference(publicUrl: string): string {
  return withPublicUrl(readPrinted('docs.md'), publicUrl)
}

/** Returns a text of the documents with the address of the service. */
export function withPublicUrl(text: string, publicUrl: string): string {
  return text.replaceAll(PRINTED_ADDRESS, () => publicUrl)
}

/** Returns a text that is written for people or agents with the price in the place of `{price}`. */
export function withPrice(text: string): string {
  return text.replaceAll('{price}', () => dollars(PRICE_MICROS))
}

function readPrinted(file: string): string {
  return fs.readFileSync(path.join(FOLDER, file), 'utf8')
}
