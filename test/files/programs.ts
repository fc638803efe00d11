/** Whether other authors' programs that read our files are installed. */
import { spawnSync } from 'node:child_process'

/** Returns false where the program runs, else the sentence with which its test is skipped. */
export function missing(program: 'unzip' | 'python3' | 'ffmpeg'): string | false {
  const flag = program === 'ffmpeg' ? '-version' : program === 'unzip' ? '-v' : '--version'
  const isHere = spawnSync(program, [flag]).status === 0
  return isHere ? false : `${program} is not installed here; the Debian package of that name has it`
}
