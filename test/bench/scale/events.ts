/** What happens next: events in the order of their times. */
export class Events<T> {
  private readonly times: number[] = [];
  private readonly items: T[] = [];

  get size(): number {
    return this.times.length;
  }

  add(time: number, item: T): void {
    let at = this.times.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (this.times[above]! <= time) break;
      this.put(at, this.times[above]!, this.items[above]!);
      at = above;
    }
    this.put(at, time, item);
  }

  next(): { time: number; item: T } | undefined {
    const [time] = this.times,
      [item] = this.items;
    if (time === undefined) return undefined;
    const lastTime = this.times.pop()!,
      lastItem = this.items.pop()!,
      size = this.times.length;
    if (size === 0) return { time, item: item! };
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= size) break;
      if (below + 1 < size && this.times[below + 1]! < this.times[below]!) below += 1;
      if (this.times[below]! >= lastTime) break;
      this.put(at, this.times[below]!, this.items[below]!);
      at = below;
    }
    this.put(at, lastTime, lastItem);
    return { time, item: item! };
  }

  private put(at: number, time: number, item: T): void {
    this.times[at] = time;
    this.items[at] = item;
  }
}

/** Who came first is served first. */
export class Line<T> {
  private items: T[] = [];
  private head = 0;

  add(item: T): void {
    this.items.push(item);
  }

  next(): T | undefined {
    const item = this.items[this.head];
    if (item === undefined) return undefined;
    this.head += 1;
    if (this.head > 1000 && this.head * 2 > this.items.length) {
      this.items = this.items.slice(this.head);
      this.head = 0;
    }
    return item;
  }
}
