/** Two soft tones: an opponent is there. Browsers let a page sound only after it was touched, as it was to look for one. */

import { settings } from "../table/settings.js";

/** @type {AudioContext|null} */
let context = null;

addEventListener("pointerdown", wake, { passive: true });
addEventListener("keydown", wake, { passive: true });

function wake() {
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
}

export function chime() {
  const { sound, volume } = settings;
  if (!sound || context?.state !== "running") return;
  [587, 880].forEach((pitch, index) => {
    const at = context.currentTime + index * 0.13;
    const tone = context.createOscillator();
    const gain = context.createGain();
    tone.frequency.value = pitch;
    gain.gain.setValueAtTime(0, at);
    gain.gain.linearRampToValueAtTime(0.14 * volume, at + 0.01);
    gain.gain.exponentialRampToValueAtTime(0.0001, at + 0.4);
    tone.connect(gain).connect(context.destination);
    tone.start(at);
    tone.stop(at + 0.45);
  });
}
