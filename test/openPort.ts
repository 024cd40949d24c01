/** Servers of tests, on free ports of this machine. */
import type { Server as WebServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';

/** Has it listen; the port. */
export async function openPort(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}
export function shut(server: WebServer): void {
  server.closeAllConnections();
  server.close();
}
export async function freePort(): Promise<number> {
  const probe = createServer();
  const port = await openPort(probe);
  await new Promise((done) => probe.close(done));
  return port;
}
