/** Settings of /.well-known/security.txt, which names the contact for vulnerabilities. */
import { text } from './settings.ts'

export const SECURITY_CONTACT_SETTINGS = {
  SECURITY_CONTACT: text({
    about:
      'Where to report a vulnerability, told in /.well-known/security.txt, which is not there without it.',
    unit: 'a mailto: or https: address',
    default: null,
    pattern: /^(?:mailto:[\w.+-]{1,64}@[\w.-]{1,255}|https:\/\/[!-~]{1,500})$/,
  }),
  SECURITY_EXPIRES: text({
    about:
      'Until when SECURITY_CONTACT is good; required with it. From then on security.txt is not there.',
    unit: 'a date such as 2027-06-30, at most a year away',
    default: null,
    pattern: /^20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
  }),
}
