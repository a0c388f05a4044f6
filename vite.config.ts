/** The web app's build (to dist/web, which the Worker serves as static assets) and its dev server. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import * as z from 'zod'
import { parseAuthors } from './scripts/bundle/authors.ts'
import { cutFont } from './scripts/bundle/cut-font.ts'
import { allMantineStyles, mantineStyles } from './scripts/bundle/mantine-styles.ts'
import { publishRunner } from './scripts/bundle/pack-runner.ts'
import { allowApi } from './scripts/bundle/web-headers.ts'
import { libraryLimits, weightLimits } from './scripts/bundle/web-weight.ts'
import { zodForPages } from './scripts/bundle/zod-for-pages.ts'

const root = fileURLToPath(new URL('.', import.meta.url))
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(`${root}package.json`, 'utf8')))

const authors = parseAuthors(readFileSync(`${root}AUTHORS`, 'utf8'))

export default defineConfig({
  root: `${root}web`,
  define: {
    __APP_VERSION__: JSON.stringify(version),
    __AUTHORS__: JSON.stringify(authors),
  },
  plugins: [
    react(),
    cutFont(),
    weightLimits(),
    mantineStyles(),
    allMantineStyles(),
    allowApi(),
    publishRunner(),
    zodForPages(),
  ],
  resolve: {
    alias: {
      // The library's version for browsers needs `document`, which the thread that reads Markdown does not have.
      'hast-util-from-html-isomorphic': fileURLToPath(
        import.meta.resolve('hast-util-from-html-isomorphic'),
      ),
      'decode-named-character-reference': `${root}web/components/markdown/parse/named-characters.ts`,
    },
  },
  // Checks that the thread that reads Markdown loads the library of formulas only for texts with formulas.
  worker: { format: 'es', plugins: () => [libraryLimits()] },
  build: {
    outDir: `${root}dist/web`,
    emptyOutDir: true,
    target: 'es2022',
    // All of these browsers support light-dark(); its replacement for older ones would break the colours.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    // The content security policy does not allow fonts with data: addresses.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // One file holds the libraries that every page needs, so that it stays the same when the app changes. It also
            // holds the set-up of zod, which must run before any other file makes a schema.
            {
              name: 'vendor',
              test: /node_modules[\\/](react|react-dom|scheduler|react-router|i18next|react-i18next|zod|@tanstack[\\/](query-core|react-query))[\\/]|[\\/]strict-schemas\.ts$/,
            },
            // One file holds the start of every page, another what students open in a course: dozens of tiny files would
            // cost more than they save.
            {
              name: 'start',
              test: /[\\/]web[\\/](main|layout[\\/]app-layout|features[\\/]home[\\/]home-page)\.tsx$/,
            },
            // Parts of the student's home page, and parts that pages outside of courses share with pages inside. Without
            // these files such pages would load the file of the course.
            {
              name: 'rows',
              test: /[\\/]web[\\/](components[\\/](page[\\/]section|lists[\\/]row-list|judging[\\/]verdict-badge|problem[\\/]problem-mark|homeworks[\\/]own-dates|display[\\/]time-left)\.|lib[\\/](format[\\/]marks|queries[\\/]homeworks)\.)|[\\/]contract[\\/](homework-dates|homework-overrides|homeworks|submissions|verdicts)\.ts/,
            },
            {
              name: 'shared',
              test: /[\\/]@mantine[\\/](hooks[\\/]esm[\\/]use-(merged-ref|clipboard)|core[\\/]esm[\\/](core[\\/](utils[\\/](create-safe-context|get-env)|DirectionProvider)|components[\\/]NativeSelect))[\\/]|[\\/]web[\\/](components[\\/]page[\\/]copy-button\.|lib[\\/](drafts[\\/](editor-settings|draft)|live[\\/]live)\.)|[\\/]contract[\\/]languages(\.|[\\/](c|cpp|py3|language)\.)/,
            },
            {
              name: 'course',
              test: /[\\/]web[\\/](layout[\\/]course-layout|features[\\/](problems[\\/]problem-page|submissions[\\/]submission-page|submit[\\/](submit-page|submit-form)))\.tsx$/,
            },
          ],
        },
      },
    },
    license: { fileName: 'licenses.txt' },
  },
  server: {
    port: Number(process.env['WEB_PORT'] ?? 5173),
    proxy: { '/api': { target: process.env['API_ORIGIN'] ?? 'http://127.0.0.1:8787' } },
  },
})
