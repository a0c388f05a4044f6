/** The table of calls as a page to read: plain HTML without scripts, styles or content of other sites. */
import { html, raw } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'
import * as z from 'zod'
import type { Call } from '#contract/calls/call'
import { CALLS, refusalsOf } from '#contract/calls'
import { ERRORS } from '#contract/errors'
import { addressOf, bodySizeOf, WHO } from './document.ts'

type Html = HtmlEscapedString | Promise<HtmlEscapedString>

/** A schema folded away under a heading. */
function foldedSchema(title: string, schema: z.ZodType | undefined, io: 'input' | 'output'): Html {
  if (!schema) return html``
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return html`<details>
    <summary>${title}</summary>
    <pre>${JSON.stringify(json, null, 2)}</pre>
  </details>`
}

/** The refusals of a call as a list. */
function refusals(call: Call): Html {
  const items = refusalsOf(call).map(
    (code) => html`<li>${ERRORS[code][0]} <code>${code}</code>: ${ERRORS[code][1]}</li>`,
  )
  return html`<details>
    <summary>Refusals</summary>
    <ul>
      ${items}
    </ul>
  </details>`
}

/** The section about one call. */
function section(call: Call): Html {
  const { method, path } = addressOf(call)
  const extra = call.form
    ? html`<p>
        Form fields: ${Object.entries(call.form).map(([name, text]) => `${name} (${text})`)}.
      </p>`
    : html``
  const size = bodySizeOf(call)
  return html`<section>
    <h3 id="${method.toLowerCase()}-${path}"><code>${method} /api${path}</code></h3>
    <p>${call.summary} <em>${WHO[call.who]}</em></p>
    ${extra} ${foldedSchema('Query', call.query, 'input')}
    ${size === '' ? html`` : html`<p>Takes ${size}.</p>`}
    ${foldedSchema('Body', call.body, 'input')}
    ${call.file ? html`<p>Answers ${call.file}.</p>` : foldedSchema('Data of the answer', call.data, 'output')}
    ${refusals(call)}
  </section>`
}

/** The whole page. */
export async function referencePage(version: string): Promise<string> {
  const groups = Map.groupBy(CALLS, (call) => addressOf(call).path.split('/')[1] ?? '')
  const parts = [...groups].map(
    ([name, calls]) =>
      html`<h2 id="${name}">${name}</h2>
        ${calls.map(section)}`,
  )
  const page = await html`${raw('<!doctype html>')}
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <title>API reference</title>
      </head>
      <body>
        <main>
          <h1>API reference</h1>
          <p>
            Version ${version}. The same as an <a href="/api/openapi.json">OpenAPI 3.1 document</a>.
            Every JSON answer is <code>{"status", "message", "data"}</code>; refusals carry a
            <code>code</code>.
          </p>
          ${parts}
        </main>
      </body>
    </html>`
  return String(page)
}
