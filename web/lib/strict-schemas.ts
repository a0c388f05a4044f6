/**
 * Import this before any schema: otherwise zod tries `new Function` once, which the
 * content security policy refuses and reports.
 */
import * as z from 'zod'

z.config({ jitless: true })
