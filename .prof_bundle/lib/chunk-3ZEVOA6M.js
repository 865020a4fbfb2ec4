var r={recall:(l,e)=>e()};export{r as a};
