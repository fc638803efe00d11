/** The pages of the operator's console, and how they are brought to the state that is worth a look. */
import { heading } from './views.ts'
import type { View } from './windows.ts'

const CONSOLE = ['Accounts', 'Jobs', 'Checks', 'Deliveries', 'Storage', 'Settings', 'Log']

/** The console of an operator who has proven the second factor. */
export const OPERATOR: View[] = [
  { name: 'console', path: '/operator', ready: heading('Health') },
  ...CONSOLE.map((part) => ({
    name: `console-${part.toLowerCase()}`,
    path: `/operator/${part.toLowerCase()}`,
    ready: heading(part),
  })),
  {
    name: 'console-account',
    path: '/operator/accounts',
    ready: async (page) => {
      await page.getByRole('link', { name: 'anna.lindqvist@example.org' }).first().click()
      await page.getByRole('button', { name: 'Add credit…' }).click()
      await page.getByLabel('Reason, for the log').waitFor()
    },
  },
]
