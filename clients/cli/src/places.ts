/** Where data is kept between commands: the XDG folders, or those of AppData on Windows. */
import os from 'node:os'
import path from 'node:path'

export type Places = {
  /** Path of `config.json` with service and key, mode 0600. */
  configFile: string
  /** Folder of interrupted orders, partial downloads, and the last look for a newer version. */
  stateFolder: string
}

const NAME = 'scriptorium'

export function placesFor(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): Places {
  const home = env['HOME'] || os.homedir()
  const [config, state] =
    platform === 'win32'
      ? [env['APPDATA'], env['LOCALAPPDATA']]
      : [env['XDG_CONFIG_HOME'], env['XDG_STATE_HOME']]
  const configHome = absolute(config) ?? path.join(home, '.config')
  const stateHome = absolute(state) ?? path.join(home, '.local', 'state')
  return {
    configFile: path.join(configHome, NAME, 'config.json'),
    stateFolder: path.join(stateHome, NAME),
  }
}

/** Returns null for a relative path, which the XDG rules ignore. */
function absolute(folder: string | undefined): string | null {
  return folder !== undefined && path.isAbsolute(folder) ? folder : null
}
