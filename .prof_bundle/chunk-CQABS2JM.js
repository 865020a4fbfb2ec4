var Rr={recall:(i,r)=>r()};export{Rr as a};
