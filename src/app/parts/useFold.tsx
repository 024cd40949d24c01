import { useState } from 'react';
import { NARROW, useMediaQuery } from '../hooks/useMediaQuery';
import { Button } from '../ui/Button';

/** The rarer tools of a list, which a narrow screen keeps behind 'Tools' if there are such: that button, and theirs. */
export function useFold(hasSuch: boolean) {
  const folds = useMediaQuery(NARROW) && hasSuch;
  const [isOpen, setOpen] = useState(false);
  const button = folds && (
    <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
      Tools
    </Button>
  );
  return { button, className: folds && !isOpen ? 'tools fold' : 'tools' };
}
