import { useState } from 'react';
import { NARROW, useMediaQuery } from '../hooks/useMediaQuery';
import { Button } from '../ui/Button';

/** 'Tools', behind which a narrow screen keeps the rarer tools of a list, and the class of what holds them all. */
export function useFold(hasRarer: boolean) {
  const folds = useMediaQuery(NARROW) && hasRarer;
  const [isOpen, setOpen] = useState(false);
  const button = folds && (
    <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
      Tools
    </Button>
  );
  return { button, className: folds && !isOpen ? 'tools fold' : 'tools' };
}
