/** How the website is built: one page, hashed files, nothing inline. */
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import path from 'node:path'
import { defineConfig, type Plugin } from 'vite'
import { precompress } from './precompress.ts'

function precompressed(): Plugin {
  let folder = ''
  return {
    name: 'precompressed',
    apply: 'build',
    configResolved({ root, build }) {
      folder = path.resolve(root, build.outDir)
    },
    closeBundle: () => precompress(folder),
  }
}

export default defineConfig({
  plugins: [react(), tailwindcss(), precompressed()],
  build: {
    target: 'es2023',
    // Pictures and fonts stay files: the policy of the page allows nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Parts of many pages are one file: dozens of small ones compress worse, and each is a request.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [{ name: 'common', test: /web.src|src.(?:kit|model)/, minShareCount: 6 }],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: {
      '/api': 'http://127.0.0.1:8080',
      '/docs.md': 'http://127.0.0.1:8080',
      '/account/': 'http://127.0.0.1:8080',
      '/welcome': 'http://127.0.0.1:8080',
      '/status.json': 'http://127.0.0.1:8080',
    },
  },
})
