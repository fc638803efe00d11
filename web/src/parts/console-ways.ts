/** The parts of the operator's console, which the header shows there; each has the address of its lower-case name. */
export const CONSOLE = [
  'Health',
  'Accounts',
  'Jobs',
  'Checks',
  'Deliveries',
  'Storage',
  'Settings',
  'Log',
] as const

export type ConsolePart = Lowercase<(typeof CONSOLE)[number]>
