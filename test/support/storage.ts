/** How the services of tests store transcripts: TRANSCRIPT_STORAGE=members npm test -- WORD runs tests on members. */
import { readConfig } from '../../src/kit/config/config.ts'

const config = readConfig({ TRANSCRIPT_STORAGE: process.env['TRANSCRIPT_STORAGE'] })

export const TRANSCRIPT_STORAGE =
  config.TRANSCRIPT_STORAGE === 'auto' ? 'body' : config.TRANSCRIPT_STORAGE
