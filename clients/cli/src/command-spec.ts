/** What is said of a command and its options, from which parsing, help and completion are made. */

export type OptionSpec = {
  /** Name of the value in the help; null for a switch. */
  value: string | null
  about: string
  short?: string
  /** Another name that is accepted. */
  also?: string
  /** Values that completion offers. */
  choices?: readonly string[]
}

export type CommandSpec = {
  name: string
  /** Text after the command's name. */
  usage: string
  /** One line of the list of commands. */
  about: string
  /** Name of the command in whose line of that list this one stands. */
  listedWith?: string
  examples: readonly string[]
  /** Sentences below the options. */
  notes: readonly string[]
  options: Readonly<Record<string, OptionSpec>>
  /** Number of words beside options. */
  words: { min: number; max: number }
  /** Words that completion offers. */
  choices?: readonly string[]
}
