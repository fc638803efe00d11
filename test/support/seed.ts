/**
 * The seed of everything that tests draw by chance. It is the same in every run of the gate, so that a change is
 * refused only for what it did. `npm run nightly` sets TEST_SEED to a new one, which it prints.
 */
const GATE_SEED = 20_261_125
/** Bound of seeds, which are whole numbers below it. */
export const SEED_END = 2 ** 31

export const SEED = readSeed(process.env['TEST_SEED'])

/** True for the gate's own seed: only then may a test demand that chance reached something. */
export const isSeedFixed = SEED === GATE_SEED

function readSeed(text: string | undefined): number {
  if (text === undefined || text === '') return GATE_SEED
  const seed = Number(text)
  if (!Number.isInteger(seed) || seed < 0 || seed >= SEED_END)
    throw new Error(`TEST_SEED is a whole number from 0 to ${SEED_END - 1}, not ${text}`)
  return seed
}
