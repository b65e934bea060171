/** Sounds, made here: short, dry, told apart by ear. Nothing is loaded. */

/**
 * @typedef {"play"|"theirs"|"back"|"turn"|"stuck"|"tick"|"slap"|"won"|"lost"} Sound
 */

export class Sounds {
  /** @param {() => boolean} isOn @param {() => number} [volume] from 0 to 1 */
  constructor(isOn, volume = () => 1) {
    this.isOn = isOn;
    this.volume = volume;
    /** @type {AudioContext|null} */
    this.context = null;
    // Browsers let a page sound only after it was touched.
    const wake = () => {
      this.context ??= new AudioContext();
      if (this.context.state === "suspended") this.context.resume();
    };
    addEventListener("pointerdown", wake, { passive: true });
    addEventListener("keydown", wake, { passive: true });
  }

  /** @param {Sound} sound */
  make(sound) {
    if (!this.isOn() || this.context?.state !== "running") return;
    switch (sound) {
      case "play":
        this.#knock(2400, 0.05, 0.5);
        break;
      case "theirs":
        this.#knock(1300, 0.05, 0.3);
        break;
      case "turn":
        this.#knock(1800, 0.06, 0.45);
        this.#knock(1500, 0.06, 0.45, 0.07);
        break;
      case "slap":
        this.#knock(500, 0.16, 1);
        break;
      case "back":
        this.#tone(190, 0.12, 0.16, 0, "triangle");
        this.#tone(150, 0.14, 0.16, 0.07, "triangle");
        break;
      case "stuck":
        this.#tone(330, 0.16, 0.1);
        break;
      case "tick":
        this.#tone(660, 0.07, 0.1);
        break;
      case "won":
        [523, 659, 784].forEach((pitch, index) => this.#tone(pitch, 0.3, 0.12, index * 0.11));
        break;
      case "lost":
        [392, 330, 262].forEach((pitch, index) => this.#tone(pitch, 0.34, 0.1, index * 0.14));
        break;
    }
  }

  /** A card on a table: a breath of noise through a narrow filter. */
  #knock(pitch, seconds, volume, delay = 0) {
    const { context } = this;
    const at = context.currentTime + delay;
    this.noise ??= this.#makeNoise();
    const source = context.createBufferSource();
    source.buffer = this.noise;
    const filter = context.createBiquadFilter();
    filter.type = "bandpass";
    filter.frequency.value = pitch;
    filter.Q.value = 0.9;
    source.connect(filter).connect(this.#fade(at, seconds, volume)).connect(context.destination);
    source.start(at, 0, seconds + 0.05);
  }

  #tone(pitch, seconds, volume, delay = 0, type = "sine") {
    const { context } = this;
    const at = context.currentTime + delay;
    const source = context.createOscillator();
    source.type = type;
    source.frequency.value = pitch;
    source.connect(this.#fade(at, seconds, volume)).connect(context.destination);
    source.start(at);
    source.stop(at + seconds + 0.05);
  }

  #fade(at, seconds, volume) {
    const gain = this.context.createGain();
    gain.gain.setValueAtTime(0, at);
    gain.gain.linearRampToValueAtTime(volume * this.volume(), at + 0.004);
    gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
    return gain;
  }

  #makeNoise() {
    const buffer = this.context.createBuffer(1, this.context.sampleRate / 4, this.context.sampleRate);
    const samples = buffer.getChannelData(0);
    for (let index = 0; index < samples.length; index += 1) samples[index] = Math.random() * 2 - 1;
    return buffer;
  }
}
