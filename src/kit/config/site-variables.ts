/** Settings about the operator of the service: the name and address on invoices, and the legal pages. */
import { text } from './settings.ts'
import { SECURITY_CONTACT_SETTINGS } from './security-contact.ts'

/** The characters that the built-in font of PDFs has: Windows-1252. */
const PRINTABLE = /^[ -~\u00a0-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]+$/

export const SITE_SETTINGS = {
  OPERATOR_NAME: text({
    about: 'Who runs this service, as invoices name them. Without it no invoices are offered.',
    unit: 'a name in Western European letters',
    pattern: PRINTABLE,
    default: null,
    defaultText: 'no invoices',
  }),
  OPERATOR_ADDRESS: text({
    about: 'Their postal address on invoices, its lines separated by `|`.',
    unit: 'text in Western European letters',
    pattern: PRINTABLE,
    default: null,
    defaultText: 'none',
  }),
  OPERATOR_TAX_ID: text({
    about: 'Their tax number on invoices, with its name: `VAT ID DE123456789`.',
    unit: 'text in Western European letters',
    pattern: PRINTABLE,
    default: null,
    defaultText: 'none',
  }),
  INVOICE_NOTE: text({
    about: 'A sentence below the sum of each invoice, such as how it is taxed.',
    unit: 'text in Western European letters',
    pattern: PRINTABLE,
    default: null,
    defaultText: 'none',
  }),
  LEGAL_DIR: text({
    about:
      'Folder with `terms.md`, `privacy.md` and `imprint.md`: each that is there becomes a page of the website, linked on every page. Read at the start.',
    unit: 'a path',
    default: null,
    defaultText: 'no such pages',
  }),
  ...SECURITY_CONTACT_SETTINGS,
}
