/** The source or target of a backup: a database and a bucket, local or on Cloudflare. */
import type { Database } from '../deploy/database.ts'

/** An object in a bucket. */
export interface StoredObject {
  key: string
  sizeBytes: number
  /** The MD5 of an object that was stored in one piece. For an object that was stored in parts it is another text, with a `-`. */
  etag: string
}

export interface Bucket {
  list(): AsyncIterable<StoredObject>
  /** An object's content; null: there is no such object. */
  read(key: string): Promise<ReadableStream<Uint8Array> | null>
  /** Stores a file's content. */
  write(key: string, file: string): Promise<void>
}

export interface Installation extends Database {
  /** The name that must be typed to replace the installation. */
  name: string
  bucket: Bucket
  close(): Promise<void>
}
